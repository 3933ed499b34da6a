/** Choices about the page itself, remembered in this browser. */
export interface Settings {
  theme: 'system' | 'light' | 'dark';
  /** Share of the width that the source has. */
  sourceShare: number;
  /** Share of the height of the source column that the editor has. */
  editorShare: number;
  problemsOpen: boolean;
  fontSize: number;
  wordWrap: boolean;
}

export const defaultSettings: Settings = {
  theme: 'system',
  sourceShare: 0.46,
  editorShare: 0.76,
  problemsOpen: true,
  fontSize: 13,
  wordWrap: false,
};

const key = 'ktir-playground.settings';

export function loadSettings(): Settings {
  const stored = readJson(key);
  if (typeof stored !== 'object' || stored === null) return { ...defaultSettings };
  const settings = { ...defaultSettings };
  const given = stored as Partial<Record<keyof Settings, unknown>>;
  if (given.theme === 'light' || given.theme === 'dark') settings.theme = given.theme;
  settings.sourceShare = within(given.sourceShare, 0.2, 0.8) ?? defaultSettings.sourceShare;
  settings.editorShare = within(given.editorShare, 0.2, 0.95) ?? defaultSettings.editorShare;
  settings.fontSize = within(given.fontSize, 9, 28) ?? defaultSettings.fontSize;
  if (typeof given.problemsOpen === 'boolean') settings.problemsOpen = given.problemsOpen;
  if (typeof given.wordWrap === 'boolean') settings.wordWrap = given.wordWrap;
  return settings;
}

export function saveSettings(settings: Settings): void {
  writeJson(key, settings);
}

function within(value: unknown, low: number, high: number): number | undefined {
  return typeof value === 'number' && value >= low && value <= high ? value : undefined;
}

/** Absent when nothing is stored, it is no JSON, or the browser stores nothing. */
export function readJson(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null');
  } catch {
    return undefined;
  }
}

/** Storing is a convenience: a full or forbidden storage is no error. */
export function writeJson(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Private windows and full disks refuse; the page works without.
  }
}
