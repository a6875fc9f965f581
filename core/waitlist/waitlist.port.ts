import type { Call } from '../call.ts';
import type { SignUp } from './sign-up.ts';

/** The waitlist. It has one entry for each address (`addressOf`), however many people sign up with it at once. */
export interface Waitlist {
  /** Adds an entry, unless the address has one. Takes the same time for new and known addresses. */
  join(signUp: SignUp, call: Call): Promise<void>;

  /** Finds the entry of an address, in whichever spelling. */
  find(email: string, call: Call): Promise<SignUp | null>;

  /** Lists at most `limit` entries after an address (`addressOf`), or the first ones, by address in code-point order. */
  page(after: string | null, limit: number, call: Call): Promise<readonly SignUp[]>;

  /** Removes the entry of an address, if it has one. Returns the number removed. Safe to repeat. */
  erase(email: string, call: Call): Promise<0 | 1>;
}
