import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import { isDeliverable, type SignUp } from './sign-up.ts';
import type { Waitlist } from './waitlist.port.ts';

/** Adds a sign-up, without revealing whether the address was known. Refuses with `invalid_email`. */
export type JoinWaitlist = (signUp: Omit<SignUp, 'at'>, call: Call) => Promise<void>;

export function joinWaitlist(waitlist: Waitlist): JoinWaitlist {
  return async (signUp, call) => {
    if (!isDeliverable(signUp.email)) throw new Refusal('invalid_email');
    await waitlist.join({ ...signUp, at: call.now }, call);
  };
}
