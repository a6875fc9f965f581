import { METHODS } from 'node:http';
import type { ErrorCode } from '../refusals.ts';

/** What Node's parser reports of bytes that are no request. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
  /** What llhttp says of it. */
  readonly reason?: string;
}

/** As much of a request as could be read. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** The value of `Origin`; of several lines joined, so that they name no origin. */
  readonly origin: string | undefined;
}

/** What the parser's errors mean; everything else is `malformed_request`. */
const meanings: ReadonlyMap<string | undefined, ErrorCode> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'payload_too_large'],
]);

export function errorCodeOf({ code, reason }: ParserError): ErrorCode {
  // The same code stands for a version that is none, and for what follows one that is served.
  if (code === 'HPE_INVALID_VERSION' && reason === 'Invalid HTTP version') return 'http_version_unsupported';
  return meanings.get(code) ?? 'malformed_request';
}

/** Whether nobody is left to be answered. */
export function isGone({ code }: ParserError): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** Whether it is none, but did not arrive in time. */
export function isLate(error: ParserError): boolean {
  return errorCodeOf(error) === 'request_timeout';
}

/** The content of a request runs into the line of the next one: only a known method tells where that begins. */
const requestLine = new RegExp(String.raw`(${METHODS.join('|')}) (\S+) HTTP/\d\.\d\r\n`);
/** One quantifier only, so that a line of 16 KiB costs no more than its length. */
const originLines = /(?<=\n)origin:([^\r\n]*)\r\n/gi;

/**
 * What the bytes at fault tell of the request that the parser gave up in its header section; null where its request
 * line did not come with them, or was itself at fault.
 */
export function requestHeadOf({ rawPacket, bytesParsed }: ParserError): RequestHead | null {
  if (rawPacket === undefined) return null;
  const read = rawPacket.toString('latin1', 0, bytesParsed);
  const section = read.split('\r\n\r\n').at(-1) ?? ''; // what ended before it was of whole requests
  const line = requestLine.exec(section);
  if (line === null) return null;
  const origins = [...section.slice(line.index).matchAll(originLines)].map(([, value = '']) => value.trim());
  return {
    method: line[1] ?? '',
    target: line[2] ?? '',
    origin: origins.length === 0 ? undefined : origins.join(', '),
  };
}
