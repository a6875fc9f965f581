import { addressOf, type SignUp, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import { table } from '../engine/table.ts';

/** A row of `waitlist`. Instants are milliseconds since 1970. */
export interface SignUpRow {
  /** The e-mail address as `addressOf` normalizes it: one row for each. */
  readonly address: string;
  readonly email: string;
  readonly name: string | null;
  readonly handle: string | null;
  readonly role: WaitlistRole | null;
  readonly at: number;
  /** How many sign-ups there were with this address. */
  readonly requests: number;
}

export const waitlistTable = table<SignUpRow>('waitlist', {
  address: true,
  email: true,
  name: true,
  handle: true,
  role: true,
  at: true,
  requests: true,
});

export function toSignUpRow({ email, name, handle, role, at }: SignUp): SignUpRow {
  return { address: addressOf(email), email, name, handle, role, at: at.getTime(), requests: 1 };
}

export function fromSignUpRow({ email, name, handle, role, at }: SignUpRow): SignUp {
  return { email, name, handle, role, at: new Date(at) };
}
