import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import type { SignText } from '../../../core/receipt/signing-key.ts';

/** Instead of a signature, what was signed by which key. */
export const readableSignature: SignText = (text, { d }) =>
  Buffer.from(JSON.stringify({ by: d, text })).toString('base64url');

/** The parts of a receipt as texts, and what `readableSignature` says of the signature. */
export function decoded(receipt: string): {
  readonly header: string;
  readonly claims: string;
  readonly signed: unknown;
} {
  const [header = '', claims = '', signature = ''] = receipt
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  return { header, claims, signed: signature === '' ? null : JSON.parse(signature) };
}

/** The claims of a receipt. */
export function claimsOf(receipt: string): Readonly<Record<string, unknown>> {
  return JSON.parse(decoded(receipt.replace(/[^.]*$/, '')).claims);
}

/** The id of the key that has signed a receipt. */
export function kidOf(receipt: string): string {
  const { kid }: { readonly kid: string } = JSON.parse(
    Buffer.from(receipt.split('.')[0] ?? '', 'base64url').toString(),
  );
  return kid;
}

/** Verifies the signature of a receipt with the key of a JWK Set that it names. */
export function isSignedByOneOf(receipt: string, { keys }: { readonly keys: readonly object[] }): boolean {
  const [header = '', claims = '', signature = ''] = receipt.split('.');
  const jwk = (keys as readonly JsonWebKey[]).find((each) => each['kid'] === kidOf(receipt));
  if (jwk === undefined) return false;
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
}
