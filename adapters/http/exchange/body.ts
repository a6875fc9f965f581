import type { IncomingMessage } from 'node:http';
import { refuse } from '../refusals.ts';
import { headerLines } from './conformance.ts';

const depthLimit = 32;
export const jsonType = 'application/json';
const notAForm = 'The request body must be a form in UTF-8.';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The client went away before its request was complete, so there is nobody to answer. */
export class ClientGone extends Error {}

/** Whether a request announces content (RFC 9112 §6.3). */
export function hasBody(request: IncomingMessage): boolean {
  return isChunked(request) || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Whether it comes in chunks, so that its length is not known before its end. */
export function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** The media type of HTML forms. */
export const formType = 'application/x-www-form-urlencoded';

/**
 * Refuses content that is not declared as uncompressed and of a media type, in UTF-8: `unsupported_media_type`,
 * `unsupported_content_coding`.
 */
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
