/** The coordinate of row-major element `index` in `shape`. */
export function coordinate(index: number, shape: readonly number[]): number[] {
  const result: number[] = [];
  let rest = index;
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    const extent = shape[axis] ?? 1;
    result.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return result;
}

/** A tensor laid out in rows: over its last axis, or, with one axis, `fold` elements each. */
export interface Rows {
  rows: number;
  columns: number;
  /** What stands before a row. */
  readonly label: (row: number) => string;
}

export function layOutRows(shape: readonly number[], fold: number): Rows {
  const count = elementCount(shape);
  const last = shape.at(-1) ?? 1;
  if (shape.length <= 1) {
    const columns = Math.min(last, fold);
    return {
      columns,
      rows: columns > 0 ? Math.ceil(count / columns) : 0,
      label: (row) => String(row * columns),
    };
  }
  const leading = shape.slice(0, -1);
  return {
    columns: last,
    rows: last > 0 ? elementCount(leading) : 0,
    label: (row) => coordinate(row, leading).join(', '),
  };
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

/** `f16[32, 64]`; an open extent is shown as `?`. */
export function typeName(dtype: string, shape: readonly number[]): string {
  return `${dtype}[${shape.map((extent) => (extent < 0 ? '?' : extent)).join(', ')}]`;
}

/** A number in at most seven characters or so, without losing its magnitude. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-3 && magnitude < 1e6) return String(Number(value.toPrecision(5)));
  return value.toExponential(3);
}

/** `1.2 KiB`, `64 B`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${trim(bytes / 1024)} KiB`;
  return `${trim(bytes / 1024 ** 2)} MiB`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

function trim(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 2 : 1)));
}

export interface Statistics {
  minimum: number;
  maximum: number;
  mean: number;
  nan: number;
  infinite: number;
}

/** Of the finite elements; NaN for all three when there is none. */
export function statistics(values: Float64Array): Statistics {
  let minimum = Infinity;
  let maximum = -Infinity;
  let sum = 0;
  let finite = 0;
  let nan = 0;
  for (const value of values) {
    if (Number.isNaN(value)) {
      nan += 1;
    } else if (Number.isFinite(value)) {
      finite += 1;
      sum += value;
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  const infinite = values.length - finite - nan;
  if (finite === 0) return { minimum: NaN, maximum: NaN, mean: NaN, nan, infinite };
  return { minimum, maximum, mean: sum / finite, nan, infinite };
}
