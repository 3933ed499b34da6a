// usage: node npy-head.mjs FILE COUNT
// Prints the first COUNT numbers of a .npy file of f16 or f32 values.
import { readFileSync } from 'node:fs';

const [path, count] = process.argv.slice(2);
const bytes = readFileSync(path);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const headerLength = view.getUint8(6) === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
const start = (view.getUint8(6) === 1 ? 10 : 12) + headerLength;
const header = bytes.toString('latin1', start - headerLength, start);
const dtype = /'descr': '<(\w+)'/.exec(header)?.[1];

/** IEEE binary16: sign, 5 bits of exponent, 10 of fraction. */
function half(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
}

const read = {
  f2: { size: 2, at: (offset) => half(view.getUint16(offset, true)) },
  f4: { size: 4, at: (offset) => view.getFloat32(offset, true) },
}[dtype];
if (!read) throw new Error(`'${path}' has numbers of another type: ${header}`);

const total = Math.min(Number(count), (bytes.byteLength - start) / read.size);
console.log(Array.from({ length: total }, (_, i) => read.at(start + i * read.size)).join(' '));
