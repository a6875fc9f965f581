import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../../../core/refusal.ts';
import { refuse, type ErrorCode } from '../refusals.ts';

/** Bytes of content that an operation takes unless it says otherwise. */
export const bodyLimit = 16 * 1024;
const targetLimit = 8192;
const headerLinesLimit = 100;

const hostSyntax = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d*)?$/;

/**
 * Refuses requests that Node's parser accepts but the standards or the limits of this service do not: RFC 9112 §3.2 (Host and
 * request target), §6.1 (Transfer-Encoding), RFC 9110 §15.6.6 (version), and whatever is too long.
 * `limit` is the maximum number of bytes of its content.
 */
export function checkConformance(request: IncomingMessage, limit: number): void {
  const { headers, rawHeaders, url = '' } = request;
  // The parser takes a line without a version, which is malformed (RFC 9112 §3), for HTTP/0.9.
  if (request.httpVersionMajor === 0) throw refuse('malformed_request');
  if (request.httpVersionMajor !== 1) throw refuse('http_version_unsupported');
  if (rawHeaders.length > 2 * headerLinesLimit) throw refuse('headers_too_large');
  if (url.length > targetLimit) throw refuse('uri_too_long');
  if (url.includes('#')) throw refuse('malformed_request');
  checkHost(request);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && request.httpVersionMinor === 0) throw refuse('malformed_request');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw refuse('transfer_encoding_unsupported');
  if (Number(headers['content-length'] ?? 0) > limit) throw refusedSize(limit);
}

/** Refuses content above a limit in bytes. */
export function refusedSize(limit: number): Refusal<ErrorCode> {
  if (limit === bodyLimit) return refuse('payload_too_large');
  return refuse('payload_too_large', { message: `The request body must be at most ${limit / 1024} KiB.` });
}

/** The raw values of a header field, one for each of its lines. */
export function headerLines(rawHeaders: readonly string[], name: string): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index];
    const value = rawHeaders[index + 1];
    if (value !== undefined && field?.length === name.length && field.toLowerCase() === name) lines.push(value);
  }
  return lines;
}

/** The path and query of a request target. The authority of an absolute target is ignored (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?]*/i.exec(target);
  if (authority === null) return target;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a request target, as it was sent. */
export function pathOf(target: string): string {
  const path = originForm(target);
  const mark = path.indexOf('?');
  return mark === -1 ? path : path.slice(0, mark);
}

function checkHost({ rawHeaders, httpVersionMinor }: IncomingMessage): void {
  const lines = headerLines(rawHeaders, 'host');
  const [host] = lines;
  if (host === undefined && httpVersionMinor === 0) return;
  if (host === undefined || lines.length > 1 || !hostSyntax.test(host)) throw refuse('invalid_host');
}
