import { describe, expect, test } from '@jest/globals';
import {
  compile,
  generate,
  tensor,
  type ArgumentValue,
  type HostTensor,
  type TensorSpec,
} from 'ktir';

import { exampleNames, readExample } from './support/files.ts';

/** One f16 operation: the exact result, which f64 holds, rounded once. */
function half(value: number): number {
  return tensor('f16', [1], [value]).at(0);
}

interface Expectation {
  output: string;
  /** The result for one element of each input, in the order of `inputs`. */
  formula: (...values: number[]) => number;
  inputs: string[];
}

/**
 * What the examples that are lowered to DataflowIR compute, as their READMEs say. The native tests
 * compare all examples with their formulas, and those of the command line the package's outputs
 * with the native tool's.
 */
const EXPECTATIONS: Record<string, Expectation> = {
  'vector-add': { inputs: ['a', 'b'], output: 'c', formula: (a, b) => half(a + b) },
  axpy: { inputs: ['x', 'y'], output: 'out', formula: (x, y) => half(half(2.5 * x) + y) },
  residual: {
    inputs: ['x', 's', 'b'],
    output: 'out',
    formula: (x, s, b) => Math.max(half(half(x * s) + b), 0),
  },
  'llama-add': { inputs: ['arg0', 'arg1'], output: 'arg2', formula: (a, b) => half(a + b) },
  'llama-copy': { inputs: ['arg0'], output: 'arg1', formula: (a) => a },
  'llama-mul': { inputs: ['arg0', 'arg1'], output: 'arg0', formula: (x, g) => half(x * g) },
  'llama-neg': { inputs: ['arg0'], output: 'arg1', formula: (x) => half(0 - x) },
  'llama-sub': { inputs: ['arg0', 'arg1'], output: 'arg2', formula: (a, b) => half(a - b) },
};

describe.each(exampleNames())('%s', (name) => {
  test('runs at level ktir, and says why where it is not lowered', async () => {
    const { source, args } = readExample(name);
    const compilation = await compile(source, { fileName: `${name}.mlir` });
    const errors = compilation.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.length > 0).toBe(!compilation.ok);
    const { level, findings } = await compilation.run(undefined, args, { level: 'ktir' });
    expect(level).toBe('ktir');
    expect(findings).toEqual([]);
    compilation.delete();
  });
});

describe.each(Object.keys(EXPECTATIONS))('%s', (name) => {
  test('gives the numbers of its formula, bit for bit, at both levels', async () => {
    const { source, args } = readExample(name);
    const expectation = EXPECTATIONS[name];
    if (!expectation) throw new Error('no formula');

    const compilation = await compile(source, { fileName: `${name}.mlir` });
    expect(compilation.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(compilation.ok).toBe(true);
    expect(compilation.level).toBe('dataflow');

    const inputs = await Promise.all(
      expectation.inputs.map(async (input) => {
        const spec = args[input];
        if (!isGenerator(spec)) throw new Error(`run.json has no generator for '${input}'`);
        return generate(spec);
      }),
    );
    const columns = inputs.map((input) => input.toFloat64Array());
    const values = Array.from(columns[0] ?? [], (_, i) =>
      expectation.formula(...columns.map((column) => column[i] ?? NaN)),
    );
    const expected = tensor('f16', inputs[0]?.shape ?? [], values);

    const results: HostTensor[] = [];
    for (const level of ['ktir', 'dataflow'] as const) {
      const result = await compilation.run(undefined, args, { level });
      expect(result.level).toBe(level);
      expect(result.findings).toEqual([]);
      const output = result.outputs[expectation.output];
      if (!output) throw new Error(`no output '${expectation.output}'`);
      expect(output.shape).toEqual(expected.shape);
      // Not `toEqual` on arrays of this size: a difference would print for minutes.
      expect(firstDifference(output, expected)).toBe('none');
      results.push(output);
    }
    expect(results[0]?.equals(results[1] ?? expected)).toBe(true);
    compilation.delete();
  });
});

function isGenerator(value: ArgumentValue | undefined): value is TensorSpec {
  return typeof value === 'object' && 'random' in value;
}

function firstDifference(found: HostTensor, expected: HostTensor): string {
  for (let i = 0; i < expected.size; ++i) {
    if (!Object.is(found.at(i), expected.at(i))) {
      return `element ${String(i)}: expected ${String(expected.at(i))}, found ${String(found.at(i))}`;
    }
  }
  return 'none';
}
