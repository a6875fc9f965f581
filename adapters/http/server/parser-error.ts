import type { ErrorCode } from '../refusals.ts';
import { METHODS } from './node-http.ts';

/** An error that Node reports about bytes it could not parse as a request. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
  /** The message of the parser, llhttp. */
  readonly reason?: string;
}

/** As much of a request's header section as could be read. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** The value of `Origin`. Several lines are joined, so that they match no allowed origin. */
  readonly origin: string | undefined;
}

/** The codes of the parser's errors; every other error is `malformed_request`. */
const errorCodes: ReadonlyMap<string | undefined, ErrorCode> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'payload_too_large'],
]);

export function errorCodeOf({ code, reason }: ParserError): ErrorCode {
  // The parser uses the same code for an unsupported version and for junk after a supported one.
  if (code === 'HPE_INVALID_VERSION' && reason === 'Invalid HTTP version') return 'http_version_unsupported';
  return errorCodes.get(code) ?? 'malformed_request';
}

/** Whether the client has gone, so that there is nobody to answer. */
export function isConnectionLost({ code }: ParserError): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** Whether the request did not arrive in time. */
export function isTimeout(error: ParserError): boolean {
  return errorCodeOf(error) === 'request_timeout';
}

/** The target and version in a request line. */
const targetAndVersion = / (\S+) HTTP\/\d\.\d\r\n/g;
/** Has one quantifier only, so that its cost grows linearly with the length of a line. */
const originLines = /(?<=\n)origin:([^\r\n]*)\r\n/gi;

/**
 * Reads the request head from the rejected packet. Returns null if the request line came in an earlier packet or is
 * itself at fault.
 */
export function requestHeadOf({ rawPacket, bytesParsed }: ParserError): RequestHead | null {
  if (rawPacket === undefined) return null;
  const read = rawPacket.toString('latin1', 0, bytesParsed);
  const section = read.split('\r\n\r\n').at(-1) ?? ''; // the sections before it belong to complete requests
  for (const { index, 1: target = '' } of section.matchAll(targetAndVersion)) {
    const method = methodBefore(section, index);
    if (method !== null) return { method, target, origin: originIn(section.slice(index)) };
  }
  return null;
}

/** The content of a request may run into the line of the next one: only a known method shows where that line begins. */
function methodBefore(section: string, end: number): string | null {
  const methods = METHODS.filter((method) => section.endsWith(method, end));
  return methods.toSorted((a, b) => b.length - a.length)[0] ?? null; // UNLOCK ends in LOCK
}

function originIn(section: string): string | undefined {
  const origins = [...section.matchAll(originLines)].map(([, value = '']) => value.trim());
  return origins.length === 0 ? undefined : origins.join(', ');
}
