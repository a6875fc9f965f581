import { edge } from '../../../support/http/edge-world.ts';

/** One request on the wire, the rule that it tests, and what must come back. */
export interface CorpusRow {
  /** The standard or decision in a few words. */
  readonly rule: string;
  /** Latin-1: one character, one byte. */
  readonly bytes: string;
  readonly status: number;
  /** Of the body; `none` where there must be no content. */
  readonly shape: 'standard' | 'verification' | 'success' | 'none';
  /** Values of response headers by lower-case name: null for absent, a regular expression for a form. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** What the content must match. */
  readonly content?: RegExp;
  /** Whether the connection must be closed after the answer; where it is not said it must stay open. */
  readonly closes?: true;
}

type Expected = Omit<CorpusRow, 'rule' | 'bytes'>;

export function row(rule: string, bytes: string, expected: Expected): CorpusRow {
  return { rule, bytes, ...expected };
}

/** A request of a line, header lines and content, with a Host and, for content, its length. */
export function http(line: string, headers: readonly string[] = [], content = ''): string {
  const framed = content === '' || headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const all = ['Host: latchkey.test', ...headers, ...(framed ? [] : [`Content-Length: ${content.length}`])];
  return raw(line, all, content);
}

/** A request of exactly these lines. */
export function raw(line: string, headers: readonly string[], content = ''): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n${content}`;
}

export const json = 'Content-Type: application/json';
export const bearer = `Authorization: Bearer ${edge.key}`;
export const known = JSON.stringify({ licenseKey: edge.license });

/** A license check with this body. */
export function verify(body: string = known, headers: readonly string[] = [json]): string {
  return http('POST /api/licenses/verify', headers, body);
}

/** A cancellation with this key and these headers. */
export function cancel(headers: readonly string[] = [], content = ''): string {
  return http('POST /api/app-entitlements/ent_1/cancel', [bearer, ...headers], content);
}

/** An error in the shape of 2.5, or of 2.4 where it says so. */
export function refused(
  status: number,
  code: string,
  more: Partial<Pick<Expected, 'shape' | 'headers' | 'closes'>> = {},
): Expected {
  return { status, shape: 'standard', ...more, headers: { 'error-code': code, ...more.headers } };
}

export const closes = { closes: true } as const;
export const verification = { shape: 'verification' } as const;
