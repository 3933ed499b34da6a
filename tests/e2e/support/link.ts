import { deflateRawSync } from 'node:zlib';

/** `#k1=` + base64url(deflate-raw(JSON)); a string is taken as the JSON text. */
export function makeLink(payload: unknown): string {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return `#k1=${deflateRawSync(Buffer.from(text)).toString('base64url')}`;
}
