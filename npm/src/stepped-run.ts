/** A run that goes on only as far as it is told. */

import type {
  CapturedValue,
  LaunchOptions,
  RunResult,
  SourceRange,
  SteppedOperation,
} from './api.js';
import { KtirError } from './errors.js';
import type { GlueExecutable } from './glue.js';
import { dispose, type Handle } from './handle.js';
import { describe } from './options.js';
import { parse } from './json.js';
import { instanceNames } from './report.js';
import {
  FAILED,
  readCaptured,
  type RunOrigin,
  RunResultReader,
  RUNNING,
  throwFailure,
} from './run-result.js';
import { runInSlices } from './slices.js';
import type { Sources } from './sources.js';

/** What the module says of one step; `status` as `advance` numbers it. */
interface Step {
  done: boolean;
  /** The tile or unit has nothing left to do. */
  ended: boolean;
  op: string;
  range: SourceRange;
  status: number;
}

/**
 * One run of an executable, under the caller's control: `step` executes one
 * operation on one tile or unit, `captured` has the values of then, `finish`
 * runs what is left. Call `delete` (or use `using`) when done with it.
 */
export class SteppedRun {
  private readonly start = performance.now();
  private open = true;
  private moving = false;

  /** Made by `Executable.begin`, whose run it is; `onEnd` is called when it is deleted. */
  constructor(
    private readonly handle: Handle<GlueExecutable>,
    private readonly origin: RunOrigin,
    private readonly sources: Sources,
    private readonly options: LaunchOptions,
    private readonly onEnd: () => void,
  ) {}

  /** Names of the tiles, or of the units that there are so far: `tile 3`, `C0-mnilu`. */
  instances(): string[] {
    if (this.origin.level === 'ktir') {
      return Array.from({ length: this.tiles }, (_, tile) => `tile ${String(tile)}`);
    }
    return this.call((object) => instanceNames(this.origin.instance, object));
  }

  /**
   * Executes one more operation on a tile, or on a unit by its index among
   * `instances`; of an operation that holds others one part, such as the head
   * of a loop. While it waits for others they run. Null, and nothing was
   * executed, when it has nothing left to do. Rejects with `KtirError` when
   * the run fails.
   */
  async step(instance: number): Promise<SteppedOperation | null> {
    const { level } = this.origin;
    const last = level === 'ktir' ? this.tiles - 1 : Infinity;
    if (!Number.isInteger(instance) || instance < 0 || instance > last) {
      const range = level === 'ktir' ? ` from 0 to ${String(last)}` : '';
      throw new KtirError(
        `expected the number of a ${level === 'ktir' ? 'tile' : 'unit'}${range}, found ${describe(instance)}`,
        'argument',
      );
    }
    let step: Step = { done: false, ended: false, op: '', range: nowhere(), status: RUNNING };
    await this.move((milliseconds) => {
      step = this.call((object) => {
        if (object.isReading()) this.sources.check();
        return parse<Step>(object.step(instance, milliseconds));
      });
      return !step.done && !step.ended && step.status === RUNNING;
    });
    if (!step.done) {
      if (step.status === FAILED) this.throwFailure();
      return null;
    }
    this.origin.positions.translateRange(step.range);
    return { op: step.op, range: step.range };
  }

  /** The values asked for by `captures`, as they are now. */
  captured(): CapturedValue[] {
    return this.call((object) => readCaptured(object, this.origin.positions));
  }

  /** Runs to the end. Rejects as `Executable.launch` does. */
  async finish(): Promise<RunResult> {
    let reader: RunResultReader | undefined;
    await this.move((milliseconds) =>
      this.call((object) => {
        const end = performance.now() + milliseconds;
        if (!reader) {
          if (object.isReading()) this.sources.check();
          const status = object.advance(milliseconds);
          if (status === RUNNING) return true;
          if (status === FAILED) this.throwFailure();
          reader = new RunResultReader(object, this.origin, this.options);
        }
        return reader.readUntil(end);
      }),
    );
    const milliseconds = performance.now() - this.start;
    return this.call(() => {
      if (!reader) throw new KtirError('the run has not ended', 'deleted');
      return reader.result(milliseconds);
    });
  }

  /** Gives back the run's memory; calls from then on throw. */
  delete(): void {
    if (!this.open) return;
    this.open = false;
    this.onEnd();
    try {
      this.handle.call((object) => {
        object.stop();
      });
    } catch (error) {
      // A deleted or lost executable has nothing left to give back.
      if (!(error instanceof KtirError)) throw error;
    }
  }

  [dispose](): void {
    this.delete();
  }

  /** Runs slices of `advance` while it returns true. */
  private async move(advance: (milliseconds: number) => boolean): Promise<void> {
    if (this.moving) {
      throw new KtirError('this run is moving already; wait for its last step', 'argument');
    }
    const { onProgress, signal } = this.options;
    this.moving = true;
    try {
      await runInSlices({
        advance,
        between: () => {
          if (!onProgress) return;
          onProgress(this.call((object) => ({ done: object.done(), total: object.total() })));
        },
        signal,
      });
    } finally {
      this.moving = false;
    }
  }

  private get tiles(): number {
    return this.origin.kernel.grid.reduce((tiles, extent) => tiles * extent, 1);
  }

  private throwFailure(): never {
    return this.call((object) => throwFailure(object, this.origin, this.options));
  }

  private call<R>(action: (object: GlueExecutable) => R): R {
    if (!this.open) throw new KtirError('this run has been deleted', 'deleted');
    return this.handle.call(action);
  }
}

function nowhere(): SourceRange {
  return { file: '', line: 0, column: 0, endLine: 0, endColumn: 0 };
}
