import { coordinate, formatNumber, layOutRows, type Statistics } from '../../model/tensors.ts';
import { h } from '../../ui/dom.ts';

const maximumHeight = 360;
const maximumWidth = 768;
/** A tensor with one axis is drawn in rows of this many elements. */
const foldAt = 256;

type Color = readonly [red: number, green: number, blue: number];

const diverging: readonly Color[] = [
  [33, 80, 162],
  [120, 164, 216],
  [240, 240, 238],
  [230, 153, 104],
  [168, 60, 30],
];
const sequential: readonly Color[] = [
  [36, 28, 74],
  [40, 84, 132],
  [34, 138, 138],
  [112, 190, 96],
  [246, 226, 92],
];
const notANumber: Color = [214, 51, 132];

/**
 * A tensor as an image: one row per combination of leading coordinates, one
 * column per element of the last axis. Each pixel shows the mean of the
 * elements under it.
 */
export function createHeatmap(
  values: Float64Array,
  shape: readonly number[],
  statistics: Statistics,
): HTMLElement {
  const { rows, columns } = layOutRows(shape, foldAt);
  if (rows === 0 || columns === 0) {
    return h('p', { class: 'muted', text: 'The tensor has no elements.' });
  }
  const scale = colorScale(statistics);
  const cell = Math.max(1, Math.min(12, Math.floor(maximumWidth / columns)));
  const width = Math.min(columns * cell, maximumWidth);
  const height = Math.min(rows * cell, maximumHeight);
  const canvas = h('canvas', {
    class: 'heatmap',
    width: String(width),
    height: String(height),
    role: 'img',
    'aria-label':
      `Heatmap of ${rows} by ${columns} elements, ` +
      `minimum ${formatNumber(statistics.minimum)}, maximum ${formatNumber(statistics.maximum)}`,
  });
  const context = canvas.getContext('2d');
  if (context) {
    const image = context.createImageData(width, height);
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        const mean = meanUnder(x, y);
        if (mean === undefined) continue;
        const [red, green, blue] = scale.color(mean);
        image.data.set([red, green, blue, 255], (y * width + x) * 4);
      }
    }
    context.putImageData(image, 0, 0);
  }

  /** Absent behind the last element of a folded tensor. */
  function meanUnder(x: number, y: number): number | undefined {
    const firstRow = Math.floor((y * rows) / height);
    const lastRow = Math.max(firstRow + 1, Math.floor(((y + 1) * rows) / height));
    const firstColumn = Math.floor((x * columns) / width);
    const lastColumn = Math.max(firstColumn + 1, Math.floor(((x + 1) * columns) / width));
    let sum = 0;
    let count = 0;
    for (let row = firstRow; row < lastRow; ++row) {
      for (let column = firstColumn; column < lastColumn; ++column) {
        const value = values[row * columns + column];
        if (value === undefined) continue;
        sum += value;
        count += 1;
      }
    }
    return count > 0 ? sum / count : undefined;
  }

  const readout = h('span', {
    class: 'heatmap-readout muted',
    text: 'Point at a cell to read it.',
  });
  canvas.addEventListener('pointermove', (event) => {
    const box = canvas.getBoundingClientRect();
    const row = Math.min(rows - 1, Math.floor(((event.clientY - box.top) / box.height) * rows));
    const column = Math.min(
      columns - 1,
      Math.floor(((event.clientX - box.left) / box.width) * columns),
    );
    const index = row * columns + column;
    if (row < 0 || column < 0 || index >= values.length) return;
    const at = coordinate(index, shape).join(', ');
    readout.textContent = `[${at}] = ${formatNumber(values[index] ?? NaN)}`;
  });

  return h(
    'div',
    { class: 'heatmap-frame' },
    canvas,
    h(
      'div',
      { class: 'legend' },
      h('span', { text: formatNumber(scale.low) }),
      legendBar(scale),
      h('span', { text: formatNumber(scale.high) }),
      readout,
    ),
  );
}

interface ColorScale {
  low: number;
  high: number;
  color(value: number): Color;
}

/** Diverging around zero where both signs occur, else from minimum to maximum. */
function colorScale({ minimum, maximum }: Statistics): ColorScale {
  const bothSigns = minimum < 0 && maximum > 0;
  const bound = Math.max(Math.abs(minimum), Math.abs(maximum));
  const low = bothSigns ? -bound : minimum;
  const high = bothSigns ? bound : maximum;
  const stops = bothSigns ? diverging : sequential;
  return {
    low,
    high,
    color(value) {
      if (Number.isNaN(value)) return notANumber;
      const span = high - low;
      const position = span > 0 ? Math.min(Math.max((value - low) / span, 0), 1) : 0.5;
      return interpolate(stops, position);
    },
  };
}

function interpolate(stops: readonly Color[], position: number): Color {
  const scaled = position * (stops.length - 1);
  const index = Math.min(Math.floor(scaled), stops.length - 2);
  const from = stops[index] ?? notANumber;
  const to = stops[index + 1] ?? notANumber;
  const part = scaled - index;
  return [
    from[0] + (to[0] - from[0]) * part,
    from[1] + (to[1] - from[1]) * part,
    from[2] + (to[2] - from[2]) * part,
  ];
}

function legendBar(scale: ColorScale): HTMLCanvasElement {
  const bar = h('canvas', { class: 'legend-bar', width: '96', height: '1', 'aria-hidden': 'true' });
  const context = bar.getContext('2d');
  if (context) {
    const image = context.createImageData(96, 1);
    for (let x = 0; x < 96; ++x) {
      const [red, green, blue] = scale.color(scale.low + ((scale.high - scale.low) * x) / 95);
      image.data.set([red, green, blue, 255], x * 4);
    }
    context.putImageData(image, 0, 0);
  }
  return bar;
}
