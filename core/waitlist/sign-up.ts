import { textThat } from '../parsing/value-rule.ts';

export const waitlistRoles = ['creator', 'brand', 'both'] as const;

export type WaitlistRole = (typeof waitlistRoles)[number];

export interface SignUp {
  /** As the person spelled it. */
  readonly email: string;
  readonly name: string | null;
  readonly handle: string | null;
  readonly role: WaitlistRole | null;
  readonly at: Date;
}

/** Returns the same text for every spelling of an e-mail address. */
export function addressOf(email: string): string {
  return email.toLowerCase();
}

/**
 * Reports whether mail can be delivered to an address of the right syntax. Checks the lengths of RFC 5321 §4.5.3.1 and
 * RFC 1035 §2.3.4, and that the last label is not numeric, as in IP addresses and in no public domain (RFC 3696 §2).
 */
export function isDeliverable(email: string): boolean {
  if (email !== email.trim() || email.length > 254) return false;
  const at = email.lastIndexOf('@');
  if (at < 1 || at > 64) return false;
  const labels = email.slice(at + 1).split('.');
  return labels.every(({ length }) => length >= 1 && length <= 63) && !/^[0-9]+$/.test(labels.at(-1) ?? '');
}

/** A rule for texts that can be an e-mail address. No other text can be on the waitlist. */
export const emailAddressRule = textThat(
  (text) => /^[^\s@]+@[^\s@]+$/u.test(text),
  'must have an @ and no white space',
);
