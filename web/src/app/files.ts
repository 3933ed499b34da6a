import { fromPayload, PayloadError } from '../share/payload.ts';
import { LinkError } from '../share/link.ts';
import { emptyWorkspace, type Workspace } from '../model/workspace.ts';
import { h } from '../ui/dom.ts';

/** Largest text that is taken for a program. */
const sizeLimit = 4 << 20;

/** Asks for a file and reads it. */
export function chooseFile(onFile: (file: File) => void): void {
  const input = h('input', { type: 'file', accept: '.mlir,.ktir,.json,.txt' });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) onFile(file);
  });
  input.click();
}

/** Takes files that are dropped anywhere on the page. */
export function acceptDrops(target: HTMLElement, onFile: (file: File) => void): void {
  target.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  target.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    onFile(file);
  });
}

/** A program, or a file that the Share dialog wrote. Throws `LinkError`. */
export async function readWorkspaceFile(file: File): Promise<Workspace> {
  if (file.size > sizeLimit) {
    throw new LinkError(
      `'${file.name}' has ${file.size} bytes; a program has at most ${sizeLimit}`,
      '',
    );
  }
  const text = await file.text();
  if (!file.name.endsWith('.json')) return emptyWorkspace(text);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new LinkError(`'${file.name}' does not hold JSON`, text);
  }
  try {
    return fromPayload(json);
  } catch (error) {
    const reason = error instanceof PayloadError ? error.message : String(error);
    throw new LinkError(`'${file.name}': ${reason}`, text);
  }
}
