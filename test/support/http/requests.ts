import { appKeys, licenseKeys } from './fixtures.ts';

/** A header line: `Name: value`. */
export type HeaderLine = string;

export const json: HeaderLine = 'Content-Type: application/json';
export const bearer = (key: string = appKeys.full): HeaderLine => `Authorization: Bearer ${key}`;
export const idempotencyKey = (key: string): HeaderLine => `Idempotency-Key: ${key}`;

/** The bytes of a request with a Host and, if it has content, its length. Latin-1: one character is one byte. */
export function http(line: string, headers: readonly HeaderLine[] = [], content = ''): string {
  const framed = content === '' || headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const all = ['Host: latchkey.test', ...headers, ...(framed ? [] : [`Content-Length: ${content.length}`])];
  return raw(line, all, content);
}

/** The bytes of a request of exactly these lines. */
export function raw(line: string, headers: readonly HeaderLine[], content = ''): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n${content}`;
}

/** A body that verifies the active license of a populated service. */
export const activeLicense = JSON.stringify({ licenseKey: licenseKeys.active });

/** The bytes of a license check. */
export function verify(body: string = activeLicense, headers: readonly HeaderLine[] = [json]): string {
  return http('POST /api/licenses/verify', headers, body);
}

/** The bytes of a request for a receipt. */
export function receipt(body: string = activeLicense, headers: readonly HeaderLine[] = [json]): string {
  return http('POST /api/licenses/receipt', headers, body);
}

/** The bytes of a cancellation. */
export function cancel(headers: readonly HeaderLine[] = [], content = ''): string {
  return http('POST /api/app-entitlements/ent_1/cancel', [bearer(), ...headers], content);
}
