import { textThat } from './parsing/value-rule.ts';

const identifier = /^[A-Za-z0-9._~-]{1,128}$/;

/** Whether a text can be the id of a product, tier or entitlement, or a listing's slug. */
export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

export const identifierRule = textThat(
  isIdentifier,
  'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-"',
);

/** An identifier that no other has, too random to be guessed. */
export type NewId = () => string;
