import type { Call, NewCall } from '../call.ts';
import type { SignUp } from './sign-up.ts';

/** One entry for each address, however it is spelled (`addressOf`) and however many sign up with it at once. */
export interface Waitlist {
  /** Keeps the first entry of an address as it is. A new address and a known one cost the same. */
  join(signUp: SignUp, call: Call): Promise<void>;

  /**
   * All of them, by address in code-point order. Other work goes on between two of them; each part that is read has a
   * call of its own.
   */
  list(newCall: NewCall): AsyncIterable<SignUp>;

  /** Removes the entry of an address, if there is one; returns how many that were. */
  erase(email: string, call: Call): Promise<0 | 1>;
}
