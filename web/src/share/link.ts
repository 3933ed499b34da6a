import { fromPayload, PayloadError, toPayload } from './payload.ts';
import type { Workspace } from '../model/workspace.ts';

/** Largest payload that a link may inflate to. */
export const inflatedLimit = 1 << 20;

const prefix = '#k1=';

/** What is wrong with a link, and what could be read of it. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
  constructor(
    message: string,
    readonly raw: string,
  ) {
    super(message);
  }
}

/** `#k1=` + base64url(deflate-raw(JSON)). Throws when the payload is over the limit. */
export async function encodeLink(workspace: Workspace): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(toPayload(workspace)));
  if (bytes.length > inflatedLimit) {
    throw new RangeError(
      `the program and its values take ${bytes.length} bytes; a link holds at most ${inflatedLimit}`,
    );
  }
  const deflated = await collect(pipe(bytes, new CompressionStream('deflate-raw')), Infinity);
  return prefix + toBase64Url(deflated);
}

/** Whether an address with this fragment asks for more than the page alone. */
export function isLink(hash: string): boolean {
  return hash.length > 1;
}

/** Reads a link. Throws `LinkError`, whose `raw` is the part that could be read. */
export async function decodeLink(hash: string): Promise<Workspace> {
  const match = /^#k(\d+)=(.*)$/.exec(hash);
  if (!match)
    throw new LinkError(
      "this is not a link of the playground, whose fragments begin with '#k1='",
      hash,
    );
  const [, format = '', body = ''] = match;
  if (format !== '1') {
    throw new LinkError(
      `links of format ${format} are newer than this page, which reads format 1`,
      hash,
    );
  }
  let json: string;
  try {
    json = await inflate(fromBase64Url(body));
  } catch (error) {
    throw new LinkError(
      error instanceof LinkBodyError ? error.message : 'the link is damaged',
      hash,
    );
  }
  try {
    return fromPayload(JSON.parse(json));
  } catch (error) {
    if (error instanceof PayloadError) throw new LinkError(error.message, json);
    throw new LinkError('the link does not hold JSON', json);
  }
}

class LinkBodyError extends Error {}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  let inflated: Uint8Array;
  try {
    inflated = await collect(pipe(bytes, new DecompressionStream('deflate-raw')), inflatedLimit);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new LinkBodyError(`the link inflates to more than ${inflatedLimit} bytes`);
    }
    throw new LinkBodyError('the link is cut off or damaged: it does not inflate');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(inflated);
  } catch {
    throw new LinkBodyError('the link is damaged: it is not UTF-8 text');
  }
}

function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(stream);
}

/** Joins the chunks of a stream; throws `RangeError` above `limit` bytes without reading on. */
async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new RangeError('too large');
    }
    chunks.push(value);
  }
  const result = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    result.set(chunk, offset);
    offset += chunk.length;
  }
  return result;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) {
    throw new LinkBodyError('the link is damaged: it holds characters that no link has');
  }
  let binary: string;
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw new LinkBodyError('the link is cut off');
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
