import type { ArgumentInfo, Arguments, DType, KernelInfo } from '../compiler/api.ts';
import type { ArgumentChoice, TensorSource } from './workspace.ts';

/** Bytes of the `.npy` files chosen in this page, by argument. */
export type ChosenFiles = ReadonlyMap<string, { name: string; bytes: Uint8Array }>;

const floatTypes = new Set(['f16', 'bf16', 'f32', 'f64']);

/** What an argument is given when nobody chose. Every input has a seed of its own. */
export function defaultChoice(argument: ArgumentInfo, position: number): ArgumentChoice {
  if (argument.role !== 'tensor') return 0;
  if (argument.access === 'write' || argument.dtype === '') return { fill: 0 };
  const seed = position + 1;
  return floatTypes.has(argument.dtype)
    ? { random: 'normal', seed, scale: 1 }
    : { random: 'integers', seed, low: 0, high: 10 };
}

/** The choice for an argument, or its default when the choice does not fit its role. */
export function choiceFor(
  choices: Readonly<Record<string, ArgumentChoice>>,
  argument: ArgumentInfo,
  position: number,
): ArgumentChoice {
  const choice = choices[argument.name];
  const isNumber = typeof choice === 'number';
  if (choice === undefined || isNumber === (argument.role === 'tensor')) {
    return defaultChoice(argument, position);
  }
  return choice;
}

/** Choices without those that equal the default, and without what the program says, for a link. */
export function withoutDefaults(
  kernel: KernelInfo,
  choices: Readonly<Record<string, ArgumentChoice>>,
): Record<string, ArgumentChoice> {
  const kept: Record<string, ArgumentChoice> = {};
  kernel.arguments.forEach((argument, position) => {
    const given = choices[argument.name];
    if (given === undefined) return;
    const choice = withoutDeclared(argument, given);
    const standard = defaultChoice(argument, position);
    if (JSON.stringify(choice) !== JSON.stringify(standard)) kept[argument.name] = choice;
  });
  return kept;
}

/** A choice without the shape when the program leaves no extent open. */
function withoutDeclared(argument: ArgumentInfo, choice: ArgumentChoice): ArgumentChoice {
  if (typeof choice === 'number' || isUntyped(argument)) return choice;
  if (argument.shape.some((extent) => extent < 0)) return choice;
  const rest = { ...choice };
  delete rest.shape;
  return rest;
}

/** Whether the program leaves the type of a tensor argument open, as DataflowIR does. */
export function isUntyped(argument: ArgumentInfo): boolean {
  return argument.role === 'tensor' && argument.dtype === '';
}

/** The element type of a tensor argument: as declared, or as chosen where it is open. */
export function dtypeOf(argument: ArgumentInfo, choice: ArgumentChoice): DType {
  const chosen = typeof choice === 'number' ? undefined : choice.dtype;
  return argument.dtype || ((chosen ?? 'f16') as DType);
}

/** The shape of a tensor argument: as declared, or as chosen where an extent is open. */
export function shapeOf(argument: ArgumentInfo, choice: ArgumentChoice): number[] {
  const chosen = typeof choice === 'number' ? undefined : choice.shape;
  if (isUntyped(argument)) return chosen ?? [64];
  if (chosen?.length === argument.shape.length) {
    return argument.shape.map((extent, axis) => (extent < 0 ? (chosen[axis] ?? 1) : extent));
  }
  return argument.shape.map((extent) => (extent < 0 ? 1 : extent));
}

export interface BoundArguments {
  args: Arguments;
  files: Record<string, Uint8Array>;
}

/** Turns choices into what the package's `run` takes. */
export function bindArguments(
  kernel: KernelInfo,
  choices: Readonly<Record<string, ArgumentChoice>>,
  chosen: ChosenFiles,
): BoundArguments {
  const args: Arguments = {};
  const files: Record<string, Uint8Array> = {};
  kernel.arguments.forEach((argument, position) => {
    const choice = choiceFor(choices, argument, position);
    if (typeof choice === 'number') {
      args[argument.name] = choice;
      return;
    }
    if ('npy' in choice) {
      const file = chosen.get(argument.name);
      let name = choice.npy;
      // Two arguments may have chosen different files of one name.
      if (file && name in files && files[name] !== file.bytes) name = `${argument.name}/${name}`;
      if (file) files[name] = file.bytes;
      args[argument.name] = { npy: name };
      return;
    }
    const dtype = dtypeOf(argument, choice);
    const shape = shapeOf(argument, choice);
    args[argument.name] = { dtype, shape, ...sourceOnly(choice) };
  });
  return { args, files };
}

function sourceOnly(
  choice: Exclude<ArgumentChoice, number>,
): Exclude<TensorSource, { npy: string }> {
  if ('fill' in choice) return { fill: choice.fill };
  if ('data' in choice) return { data: choice.data };
  if ('random' in choice) {
    const { random, seed } = choice;
    return random === 'normal'
      ? { random, seed, scale: choice.scale }
      : { random, seed, low: choice.low, high: choice.high };
  }
  throw new Error('a file has no generator');
}
