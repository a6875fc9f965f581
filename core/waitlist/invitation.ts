import type { OperatorScope } from '../key/operator/operator-key.ts';
import { day, durationBetween } from '../parsing/duration.ts';
import type { SignUp } from './sign-up.ts';

/** An invitation to get an operator key that is limited to products, until it is taken. */
export interface Invitation {
  /** The digest of the token in the link. */
  readonly digest: string;
  /** The products that the key is limited to, by id in code-point order. */
  readonly products: readonly string[];
  readonly scopes: readonly OperatorScope[];
  readonly expiresAt: Date;
  /** Who has invited, as an `Actor`. */
  readonly invitedBy: string;
}

/** A sign-up as it is stored. */
export interface WaitlistEntry extends SignUp {
  /** When it was invited last. Null if it never was. */
  readonly invitedAt: Date | null;
  /** Null before it was invited, and once the invitation was taken. */
  readonly invitation: Invitation | null;
}

/** The entry of a new sign-up. */
export function newEntry({ email, name, handle, role, at }: SignUp): WaitlistEntry {
  return { email, name, handle, role, at, invitedAt: null, invitation: null };
}

/** Whether two states of an entry are the same, so that the second can still be replaced. */
export function isSameEntry(a: WaitlistEntry, b: WaitlistEntry): boolean {
  return (
    a.at.getTime() === b.at.getTime() &&
    a.invitedAt?.getTime() === b.invitedAt?.getTime() &&
    a.invitation?.digest === b.invitation?.digest
  );
}

/** The scopes that an invitation can give: none that lets its key issue others. */
export const invitedScopes = [
  'admin:read',
  'admin:entitlements',
  'admin:catalog',
] as const satisfies readonly OperatorScope[];

/** The default lifetime of an invitation, in milliseconds. */
export const defaultInvitationTime = 7 * day;

/** The rule for the lifetime of an invitation, in milliseconds. */
export const invitationTimeRule = durationBetween('1h', '30d', '7d');
