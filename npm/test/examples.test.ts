import { describe, expect, test } from '@jest/globals';
import {
  compile,
  generate,
  tensor,
  type ArgumentValue,
  type HostTensor,
  type TensorSpec,
} from 'ktir';

import { exampleNames, notLoweredExamples, readExample } from './support/files.ts';

type Column = Float64Array;

/** One f16 operation on whole columns: the exact results, which f64 holds, rounded once. */
function half(operation: (x: number, y: number) => number, a: Column, b: Column = a): Column {
  const exact = a.map((x, i) => operation(x, b[i] ?? NaN));
  return tensor('f16', [exact.length], exact).toFloat64Array();
}

const add = (a: Column, b: Column): Column => half((x, y) => x + y, a, b);
const multiply = (a: Column, b: Column): Column => half((x, y) => x * y, a, b);

interface Expectation {
  output: string;
  /** The result for the inputs, in the order of `inputs`. */
  formula: (...inputs: Column[]) => Column;
  inputs: string[];
}

/**
 * What the examples that are lowered to DataflowIR compute, as their READMEs say. The native tests
 * compare all examples with their formulas, and those of the command line the package's outputs
 * with the native tool's.
 */
const EXPECTATIONS: Record<string, Expectation> = {
  'vector-add': { inputs: ['a', 'b'], output: 'c', formula: add },
  axpy: {
    inputs: ['x', 'y'],
    output: 'out',
    formula: (x, y) =>
      add(
        half((value) => 2.5 * value, x),
        y,
      ),
  },
  residual: {
    inputs: ['x', 's', 'b'],
    output: 'out',
    formula: (x, s, b) => half((value) => Math.max(value, 0), add(multiply(x, s), b)),
  },
  'llama-add': { inputs: ['arg0', 'arg1'], output: 'arg2', formula: add },
  'llama-copy': { inputs: ['arg0'], output: 'arg1', formula: (a) => a },
  'llama-mul': { inputs: ['arg0', 'arg1'], output: 'arg0', formula: multiply },
  'llama-neg': { inputs: ['arg0'], output: 'arg1', formula: (x) => half((value) => 0 - value, x) },
  'llama-sub': {
    inputs: ['arg0', 'arg1'],
    output: 'arg2',
    formula: (a, b) => half((x, y) => x - y, a, b),
  },
};

describe.each(exampleNames())('%s', (name) => {
  test('runs at level ktir, and says why where it is not lowered', async () => {
    const { source, args } = readExample(name);
    const compilation = await compile(source, { fileName: `${name}.mlir` });
    const errors = compilation.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.length > 0).toBe(!compilation.ok);
    expect(compilation.ok).toBe(!notLoweredExamples().includes(name));
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
    const expected = expectation.formula(...inputs.map((input) => input.toFloat64Array()));

    const results: HostTensor[] = [];
    for (const level of ['ktir', 'dataflow'] as const) {
      const result = await compilation.run(undefined, args, { level });
      expect(result.level).toBe(level);
      expect(result.findings).toEqual([]);
      const output = result.outputs[expectation.output];
      if (!output) throw new Error(`no output '${expectation.output}'`);
      expect(output.shape).toEqual(inputs[0]?.shape);
      // Not `toEqual` on arrays of this size: a difference would print for minutes.
      expect(firstDifference(output, expected)).toBe('none');
      results.push(output);
    }
    const [ktir, dataflow] = results;
    expect(dataflow && ktir?.equals(dataflow)).toBe(true);
    compilation.delete();
  });
});

function isGenerator(value: ArgumentValue | undefined): value is TensorSpec {
  return typeof value === 'object' && 'random' in value;
}

function firstDifference(found: HostTensor, expected: Column): string {
  const values = found.toFloat64Array();
  const at = values.findIndex((value, i) => !Object.is(value, expected[i]));
  return at < 0
    ? 'none'
    : `element ${String(at)}: expected ${String(expected[at])}, found ${String(values[at])}`;
}
