import { textThat } from './parsing/value-rule.ts';

const identifier = /^[A-Za-z0-9._~-]{1,128}$/;

/** Reports whether a text can be the id of a product, tier, entitlement or listing, or the slug of a listing. */
export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

export const identifierRule = textThat(
  isIdentifier,
  'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-"',
);

/** Makes a unique identifier, too random to be guessed. */
export type NewId = () => string;
