import { editor } from '../editor/monaco.ts';
import { themeName, type Appearance } from '../editor/theme.ts';
import type { Settings } from '../model/settings.ts';

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

/** Applies the chosen theme, and follows the system where none is chosen. */
export function createAppearance(theme: Settings['theme']): {
  set(theme: Settings['theme']): void;
} {
  let chosen = theme;
  const apply = (): void => {
    const system: Appearance = systemIsDark.matches ? 'dark' : 'light';
    const appearance = chosen === 'system' ? system : chosen;
    document.documentElement.dataset.theme = appearance;
    editor.setTheme(themeName(appearance));
  };
  systemIsDark.addEventListener('change', apply);
  apply();
  return {
    set(next) {
      chosen = next;
      apply();
    },
  };
}
