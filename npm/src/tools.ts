/** Functions beside compiling: formatting, tensors, `.npy` files, the version. */

import type { Diagnostic, FormatResult, TensorData, TensorSpec } from './api.js';
import { encodeTensorSpec, fileReader, hostData, plainTensor } from './arguments.js';
import { argumentError } from './run-result.js';
import { KtirError } from './errors.js';
import { getInstance } from './instance.js';
import { describe, isBytes, isObject } from './options.js';
import { Positions } from './positions.js';
import { HostTensor } from './tensor.js';

/**
 * Prints a program in canonical strict form: older forms rewritten, names of
 * values and aliases, comments and blank lines kept, locations (`loc(...)`)
 * not. Formatting the result again changes nothing. A text with errors gives
 * their diagnostics instead.
 */
export async function format(source: string, fileName = 'kernel.mlir'): Promise<FormatResult> {
  if (typeof source !== 'string') {
    throw new KtirError(`expected a string to format, found ${describe(source)}`, 'argument');
  }
  const instance = await getInstance();
  const answer = instance.call((glue) => glue.format(source, fileName));
  if (answer.text !== undefined) return { text: answer.text, diagnostics: [] };
  const diagnostics = JSON.parse(answer.diagnostics ?? '[]') as Diagnostic[];
  return { diagnostics: new Positions(source, fileName).translate(diagnostics) };
}

/**
 * The tensor that a spec of ARGS.json describes: filled, random, read from a
 * file of `files`, or given by its data. The same spec gives the same tensor
 * on every host, here, as an argument and in the command line.
 */
export async function generate(
  spec: TensorSpec,
  files?: Record<string, Uint8Array>,
): Promise<HostTensor> {
  const plain = isObject(spec) ? plainTensor(spec) : undefined;
  if (plain) return plain;
  const json = encodeTensorSpec(spec);
  const instance = await getInstance();
  const answer = instance.call((glue) => glue.generate(json, fileReader(files)));
  if (!answer.tensor) throw argumentError(answer.diagnostics ?? '[]');
  const { dtype, shape, data } = answer.tensor;
  return new HostTensor(dtype, shape, data);
}

/** Reads a `.npy` file (version 1.0, C order, little-endian). */
export async function readNpy(bytes: Uint8Array): Promise<HostTensor> {
  if (!isBytes(bytes)) {
    throw new KtirError(`expected a Uint8Array, found ${describe(bytes)}`, 'argument');
  }
  const instance = await getInstance();
  const answer = instance.call((glue) => glue.readNpy(bytes));
  if (!answer.tensor) throw new KtirError(answer.error ?? 'not a .npy file', 'argument');
  const { dtype, shape, data } = answer.tensor;
  return new HostTensor(dtype, shape, data);
}

/** The bytes of a `.npy` file with `tensor`. */
export async function writeNpy(tensor: TensorData): Promise<Uint8Array> {
  const data = hostData(tensor);
  const instance = await getInstance();
  return instance.call((glue) => glue.writeNpy(data));
}

/** Version of the compiler. */
export async function version(): Promise<string> {
  const instance = await getInstance();
  return instance.call((glue) => glue.version());
}
