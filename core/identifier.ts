import { textThat } from './parsing/value-rule.ts';

export const maxIdentifierLength = 128;

/** The form of an identifier, apart from its length. Clients remove `.` and `..` from paths before they send them. */
export const identifierPattern = '^([A-Za-z0-9_~-]|[.][A-Za-z0-9_~-]|[.][.][A-Za-z0-9._~-])[A-Za-z0-9._~-]*$';

const identifier = new RegExp(identifierPattern);

/** Reports whether a text can be the id of a product, tier, entitlement or listing, or the slug of a listing. */
export function isIdentifier(text: string): boolean {
  return text.length <= maxIdentifierLength && identifier.test(text);
}

export const identifierRule = textThat(
  isIdentifier,
  'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-", and neither "." nor ".."',
);

/** Makes a unique identifier, too random to be guessed. */
export type NewId = () => string;
