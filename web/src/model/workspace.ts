/**
 * What a person sets up in the page, and what a link reproduces: the program,
 * the arguments, the options of a run and what is looked at. Plain JSON data,
 * except the bytes of chosen files.
 */

export type RunLevel = 'ktir' | 'dataflow';

/** How the elements of a tensor come about; as in ARGS.json without type and shape. */
export type TensorSource =
  | { fill: number }
  | { random: 'normal'; seed: number; scale: number }
  | { random: 'uniform'; seed: number; low: number; high: number }
  | { random: 'integers'; seed: number; low: number; high: number }
  | { data: number[] }
  | { npy: string };

/** A number for a scalar; for a tensor its source, and its shape where the program leaves it open. */
export type ArgumentChoice = number | (TensorSource & { shape?: number[]; dtype?: string });

export interface RunChoices {
  level: RunLevel;
  numerics: 'ieee' | 'device';
  checks: boolean;
  policy: 'pad' | 'trap';
  /** Seed of a random interleaving; absent: round robin. */
  interleaving?: number;
  /** Depth of every channel; absent: the device's. */
  channelDepth?: number;
  /** Run the other level as well and compare. */
  compare: boolean;
}

export type PaneId = 'stages' | 'run';
export type StageMode = 'text' | 'inline' | 'split';

export interface ViewChoices {
  pane: PaneId;
  /** Name of the selected stage, with `@n` for its n-th occurrence; absent: the last. */
  stage?: string;
  mode: StageMode;
  /** Stage to compare with; absent: the one before. */
  against?: string;
}

export interface Workspace {
  source: string;
  /** Text of a device module; empty: the built-in device. */
  device: string;
  /** Empty: the first kernel. */
  kernel: string;
  /** By argument name; an argument that is absent has its default. */
  args: Record<string, ArgumentChoice>;
  options: RunChoices;
  view: ViewChoices;
}

export const defaultOptions: RunChoices = {
  level: 'ktir',
  numerics: 'ieee',
  checks: true,
  policy: 'pad',
  compare: true,
};

export const defaultView: ViewChoices = { pane: 'stages', mode: 'inline' };

export function emptyWorkspace(source = ''): Workspace {
  return {
    source,
    device: '',
    kernel: '',
    args: {},
    options: { ...defaultOptions },
    view: { ...defaultView },
  };
}
