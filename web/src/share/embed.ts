import type { HostTensor } from '../compiler/api.ts';
import type { ChosenFiles } from '../model/arguments.ts';
import type { Workspace } from '../model/workspace.ts';

/** Files of at most this many elements travel in a link by value. */
const elementLimit = 4096;

/** Replaces small chosen files by their values, which a link can hold. */
export async function embedSmallFiles(
  workspace: Workspace,
  chosen: ChosenFiles,
  readNpy: (bytes: Uint8Array) => Promise<HostTensor>,
): Promise<Workspace> {
  const args = { ...workspace.args };
  for (const [name, choice] of Object.entries(args)) {
    const file = chosen.get(name);
    if (typeof choice === 'number' || !('npy' in choice) || !file) continue;
    try {
      const tensor = await readNpy(file.bytes);
      if (tensor.size > elementLimit) continue;
      const data = Array.from(tensor.toFloat64Array());
      // JSON has no infinities, and wide integers would be rounded.
      const isExact = data.every(
        (value) => Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER,
      );
      if (isExact) args[name] = { data, shape: [...tensor.shape], dtype: tensor.dtype };
    } catch {
      // A file that cannot be read is shared by name, and reported by the run.
    }
  }
  return { ...workspace, args };
}
