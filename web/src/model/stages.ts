import type { StageInfo } from '../compiler/api.ts';

/** The name of a stage in links: its pass, with `@n` from the second occurrence on. */
export function stageKey(stages: readonly StageInfo[], index: number): string {
  const name = stages[index]?.name ?? '';
  const occurrence = stages.slice(0, index + 1).filter((stage) => stage.name === name).length;
  return occurrence > 1 ? `${name}@${occurrence}` : name;
}

/** The stage with this name; absent when the compiler has no such stage. */
export function findStage(stages: readonly StageInfo[], key: string): number | undefined {
  const index = stages.findIndex((_stage, i) => stageKey(stages, i) === key);
  return index < 0 ? undefined : index;
}

/** A row of the stage list: a stage, or a run of stages that changed nothing. */
export type StageRow = { kind: 'stage'; stage: number } | { kind: 'fold'; stages: number[] };

/**
 * Folds runs of unchanged stages, except those in `open` (by the first stage
 * of the run). A filter shows every stage whose name or level holds it.
 */
export function stageRows(
  stages: readonly StageInfo[],
  filter: string,
  open: ReadonlySet<number>,
): StageRow[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted) {
    return stages.flatMap((stage, index): StageRow[] =>
      stage.name.toLowerCase().includes(wanted) || stage.level.includes(wanted)
        ? [{ kind: 'stage', stage: index }]
        : [],
    );
  }
  const rows: StageRow[] = [];
  let unchanged: number[] = [];
  const flush = (): void => {
    const [first] = unchanged;
    if (first === undefined) return;
    if (open.has(first)) {
      rows.push(...unchanged.map((stage): StageRow => ({ kind: 'stage', stage })));
    } else {
      rows.push({ kind: 'fold', stages: unchanged });
    }
    unchanged = [];
  };
  stages.forEach((stage, index) => {
    if (!stage.changed && index > 0) {
      unchanged.push(index);
    } else {
      flush();
      rows.push({ kind: 'stage', stage: index });
    }
  });
  flush();
  return rows;
}
