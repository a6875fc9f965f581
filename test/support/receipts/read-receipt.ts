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
