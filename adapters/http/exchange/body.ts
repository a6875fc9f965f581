import type { IncomingMessage } from 'node:http';
import { refuse } from '../refusals.ts';
import { headerLines, refusedSize } from './conformance.ts';

const depthLimit = 32;
export const jsonType = 'application/json';
const notAForm = 'The request body must be a form in UTF-8.';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The client went away before its request was complete, so there is nobody to answer. */
export class ClientGone extends Error {}

/** Whether a request announces content (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads the content. Refuses more than `limit` bytes with `payload_too_large`; throws `ClientGone`. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (request.destroyed) throw new ClientGone();
  if (request.complete) return withinLimit(request.read(), limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) finish(() => reject(refusedSize(limit)));
      else chunks.push(chunk);
    };
    const onEnd = (): void =>
      finish(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onGone = (): void => finish(() => reject(new ClientGone()));
    const finish = (settle: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onGone);
      settle();
    };
    request.on('data', onData).on('end', onEnd).on('close', onGone);
  });
}

/** All of the content at once, however many chunks it came in. Null if nothing of it is left. */
function withinLimit(content: Buffer | null, limit: number): Buffer {
  if (content === null) return Buffer.alloc(0);
  if (content.length > limit) throw refusedSize(limit);
  return content;
}

/** The media type of HTML forms. */
export const formType = 'application/x-www-form-urlencoded';

/** Refuses content that is not declared as uncompressed and of a media type, in UTF-8: `unsupported_media_type`, `unsupported_content_coding`. */
export function checkMediaType(
  { headers, rawHeaders }: IncomingMessage,
  type: typeof jsonType | typeof formType,
): void {
  const coding = headers['content-encoding'];
  const types = headerLines(rawHeaders, 'content-type');
  if (coding !== undefined && coding.toLowerCase() !== 'identity') throw refuse('unsupported_content_coding');
  if (types.length !== 1 || !isOfType(types[0] ?? '', type)) {
    throw refuse('unsupported_media_type', type === formType ? { message: notAForm } : {});
  }
}

/** Parses JSON in strict UTF-8. Refuses with `invalid_body`. */
export function parseJson(content: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(content));
  } catch {
    throw refuse('invalid_body', { message: 'The request body must be valid JSON in UTF-8.' });
  }
  if (isDeeperThan(value, depthLimit)) {
    throw refuse('invalid_body', { message: `The request body must be at most ${depthLimit} levels deep.` });
  }
  return value;
}

function isOfType(mediaType: string, expected: string): boolean {
  const [type, ...parameters] = mediaType.toLowerCase().split(';');
  if (type?.trim() !== expected) return false;
  return parameters.every((parameter) => {
    const [name, value] = parameter.split('=');
    return name?.trim() !== 'charset' || /^\s*"?utf-8"?\s*$/.test(value ?? '');
  });
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
