import type { ErrorCode } from './refusals.ts';

/** What Node's parser reports of bytes that are no request. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** As much of a request as could be read. */
export interface RequestLine {
  readonly method: string;
  readonly target: string;
}

/** What the parser's errors mean; everything else is `malformed_request`. */
const meanings: ReadonlyMap<string | undefined, ErrorCode> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'payload_too_large'],
  ['HPE_INVALID_VERSION', 'http_version_unsupported'],
]);

export function errorCodeOf({ code }: ParserError): ErrorCode {
  return meanings.get(code) ?? 'malformed_request';
}

/** Whether nobody is left to be answered. */
export function isGone({ code }: ParserError): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

const requestLines = /(?<=^|\n)([A-Z]+) (\S+) HTTP\/\d\.\d\r\n/g;

/** The request line of the request that the parser gave up, or null where it did not come with the bytes at fault. */
export function requestLineOf({ rawPacket, bytesParsed }: ParserError): RequestLine | null {
  if (rawPacket === undefined) return null;
  const last = [...rawPacket.toString('latin1', 0, bytesParsed).matchAll(requestLines)].at(-1);
  return last === undefined ? null : { method: last[1] ?? '', target: last[2] ?? '' };
}
