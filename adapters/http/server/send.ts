import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { noStore, type Answer } from '../answer.ts';
import { stopReading } from '../content/stop-reading.ts';
import { currentEdition, supersededHeaders } from '../editions.ts';
import { matchesEtag } from '../etag.ts';
import { bodyLimit } from '../exchange/conformance.ts';
import { corsHeaders, type CorsOrigins } from '../exchange/cors.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { STATUS_CODES } from './node-http.ts';
import type { UnparsedAnswer } from './unparsed-request.ts';

const noContent = "default-src 'none'; frame-ancestors 'none'";

/** Milliseconds for which a client that is still sending may keep its connection after its answer. */
const lingerTimeout = 2000;

/** The header fields of every response. */
function commonHeaders(edition: string, correlationId: string, answer: Answer, length: number): string[] {
  const { status, body, contentType = 'application/json', cacheControl, etag } = answer;
  const fields = [
    'API-Version',
    edition,
    'X-Request-Id',
    correlationId,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    answer.referrerPolicy ?? 'no-referrer',
    'Content-Security-Policy',
    answer.contentPolicy ?? noContent,
    'Cache-Control',
    cacheControl,
  ];
  if (etag !== undefined) fields.push('ETag', etag);
  if (answer.parts !== undefined) fields.push('Content-Type', contentType);
  else if (body !== null) fields.push('Content-Type', contentType, 'Content-Length', String(length));
  else if (status !== 204 && status !== 304) fields.push('Content-Length', '0');
  return fields;
}

/**
 * Sends the answer of an exchange; nothing but this and `sendParts` writes to a response. Returns the status, which may be
 * 304. Content in parts is left to `sendParts`.
 */
export function send(exchange: Exchange, complete: Answer, corsOrigins: CorsOrigins): number {
  const { request, response, edition, call } = exchange;
  const shown = exchange.operation?.hasSecretAddress === true ? withSecretAddress(complete) : complete;
  const answer = isNotModified(exchange, shown) ? { ...shown, status: 304, body: null } : shown;
  const length = lengthOf(answer.body);
  const fields = commonHeaders(edition?.date ?? currentEdition, call.correlationId, answer, length);
  if (answer.headers !== undefined) fields.push(...answer.headers);
  if (edition !== null) fields.push(...supersededHeaders(edition));
  if (answer.errorCode === undefined && hasPage(exchange)) fields.push('Vary', 'Accept');
  fields.push(...corsHeaders(exchange.match, request.method, request.headers, corsOrigins));
  if (!hasShortRemainder(exchange)) exchange.closeAfter('the rest of the content is not discarded');
  if (exchange.mustClose) fields.push('Connection', 'close');
  response.writeHead(answer.status, fields);
  if (answer.parts !== undefined && request.method !== 'HEAD') return answer.status;
  if (exchange.mustClose && !request.complete) linger(exchange, answer.body);
  else if (answer.body === null) response.end();
  else response.end(answer.body, encodingOf(answer.body, length));
  return answer.status;
}

const ofSecretAddresses = ['X-Robots-Tag', 'noindex', 'Cross-Origin-Opener-Policy', 'same-origin'] as const;

/** Keeps the address of an answer to itself, whatever the answer is. */
function withSecretAddress({ headers = [], ...answer }: Answer): Answer {
  const hidden = { cacheControl: noStore, referrerPolicy: 'no-referrer' };
  return { ...answer, ...hidden, headers: [...headers, ...ofSecretAddresses] };
}

/** Bytes in UTF-8. */
function lengthOf(body: Answer['body']): number {
  return body === null ? 0 : Buffer.byteLength(body);
}

/** The encoding for content of this length: text in ASCII is the same in Latin-1, which is written faster. */
function encodingOf(body: string | Uint8Array, length: number): 'latin1' | 'utf8' {
  return body.length === length ? 'latin1' : 'utf8';
}

/** Whether the answer is one of two for its path: a page and JSON. Errors are never stored, and need no `Vary`. */
function hasPage({ match }: Exchange): boolean {
  return match !== null && match.route.pages.size > 0;
}

/**
 * Sends the answer to an unparsed request on its socket, and closes our side of it. The other side is closed when the client
 * has closed it or after the linger timeout.
 */
export function sendRaw(socket: Socket, { answer, correlationId, method }: UnparsedAnswer): void {
  if (!socket.writable) return;
  const fields = [
    ...commonHeaders(currentEdition, correlationId, answer, lengthOf(answer.body)),
    ...(answer.headers ?? []),
    'Connection',
    'close',
  ];
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`, `Date: ${new Date().toUTCString()}`];
  for (let index = 0; index < fields.length; index += 2) {
    lines.push(`${fields[index] ?? ''}: ${fields[index + 1] ?? ''}`);
  }
  const content = method !== 'HEAD' && typeof answer.body === 'string' ? answer.body : ''; // refusals are texts
  socket.end(`${lines.join('\r\n')}\r\n\r\n${content}`);
  destroySoon(socket);
}

/** Bytes of an answer that the system has no room for, and its client has yet to take. */
export function untaken({ socket }: ServerResponse): number {
  return socket?.writableLength ?? 0;
}

/** Ends the connection if its client does not take its answer in time. */
export function endUnlessTaken({ response }: Pick<Exchange, 'response'>, timeout: number): void {
  const { socket } = response;
  if (socket === null) return;
  const timer = setTimeout(() => socket.destroy(), timeout).unref();
  response.once('close', () => clearTimeout(timer));
}

/** Leaves a client that has not closed its side time to read what was sent. */
function destroySoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerTimeout).unref();
  socket.once('close', () => clearTimeout(timer));
}

function isNotModified({ request }: Exchange, { status, etag }: Answer): boolean {
  const condition = request.headers['if-none-match'];
  if (condition === undefined || etag === undefined || status !== 200) return false;
  return (request.method === 'GET' || request.method === 'HEAD') && matchesEtag([condition], etag, 'weak');
}

/** Whether the rest of the request is known to be short, so that it can be discarded and the connection kept. */
function hasShortRemainder({ request, expectation }: Exchange): boolean {
  if (request.complete) return true;
  return expectation === 'none' && Number(request.headers['content-length'] ?? Infinity) <= bodyLimit;
}

/**
 * Writes the whole answer, closes our side and reads no more, but ends the connection only after the linger timeout: closing a
 * socket that has unread data resets it, and the answer is lost (RFC 9112 §9.6).
 */
function linger({ request, response }: Exchange, body: Answer['body']): void {
  response.cork();
  response.flushHeaders();
  if (body !== null) response.write(body);
  response.uncork();
  stopReading(request);
  const end = (): void => {
    request.socket.end();
    destroySoon(request.socket);
  };
  if (response.socket !== null) end();
  else response.once('socket', () => setImmediate(end)); // it waits for the answers ahead of it
}
