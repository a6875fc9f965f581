import type { Call, NewCall } from '../call.ts';
import type { SignUp } from './sign-up.ts';

/** The waitlist. It has one entry for each address (`addressOf`), however many people sign up with it at once. */
export interface Waitlist {
  /** Adds an entry, unless the address has one. Takes the same time for new and known addresses. */
  join(signUp: SignUp, call: Call): Promise<void>;

  /**
   * Lists every entry, by address in code-point order. Other work goes on between two entries; each part that is read
   * has a call of its own.
   */
  list(newCall: NewCall): AsyncIterable<SignUp>;

  /** Removes the entry of an address, if it has one. Returns the number removed. */
  erase(email: string, call: Call): Promise<0 | 1>;
}
