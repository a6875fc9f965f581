export const maxAddressLength = 254;

const character = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]";
const characterOrDot = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]";
const rest = '(?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * The form of the addresses that mail is sent to: ASCII without quotes and comments, with the lengths of RFC 5321 §4.5.3.1 and
 * RFC 1035 §2.3.4, and a domain whose last label begins with a letter, so that it is no IP address.
 */
export const addressPattern = `^${character}(?:${characterOrDot}{0,62}${character})?@(?:[A-Za-z0-9]${rest}\\.)+[A-Za-z]${rest}$`;

const addressForm = new RegExp(addressPattern);

export function isMailAddress(text: string): boolean {
  return text.length <= maxAddressLength && addressForm.test(text);
}

/** A mailbox as headers have it: an address, and the name of who has it. */
export interface Mailbox {
  readonly address: string;
  /** Null for an address alone. */
  readonly name: string | null;
}

/** Reads `ada@example.com` or `Ada <ada@example.com>`; null for any other text. */
export function readMailbox(text: string): Mailbox | null {
  if (isMailAddress(text)) return { address: text, name: null };
  const [, given = '', address = ''] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? [];
  const name = given.trim().replace(/^"([^"]*)"$/, '$1');
  const isName = name.trim() !== '' && name.length <= 100 && !/["\\\p{Cs}\u2028\u2029]/u.test(name);
  return isName && isMailAddress(address) ? { address, name } : null;
}
