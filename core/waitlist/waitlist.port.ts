import type { Call } from '../call.ts';
import type { WaitlistEntry } from './invitation.ts';
import type { SignUp } from './sign-up.ts';

/** The waitlist. It has one entry for each address (`addressOf`), however many people sign up with it at once. */
export interface Waitlist {
  /** Adds an entry, unless the address has one. Takes the same time for new and known addresses. */
  join(signUp: SignUp, call: Call): Promise<void>;

  /** Finds the entry of an address, in any spelling. */
  find(email: string, call: Call): Promise<WaitlistEntry | null>;

  /** Finds the entry that has an invitation with the digest, whether or not it has ended. */
  findInvited(digest: string, call: Call): Promise<WaitlistEntry | null>;

  /** Lists at most `limit` entries after an address (`addressOf`), or the first ones, by address in code-point order. */
  page(after: string | null, limit: number, call: Call): Promise<readonly WaitlistEntry[]>;

  /**
   * Replaces `invitedAt` and the invitation of an entry, if they are as the caller has seen them and the sign-up is the same
   * one. `stale` if not, or if the entry was erased: nothing is stored then.
   */
  replace(seen: WaitlistEntry, next: WaitlistEntry, call: Call): Promise<'replaced' | 'stale'>;

  /** Removes the entry of an address, if it has one. Returns the number removed. Safe to repeat. */
  erase(email: string, call: Call): Promise<0 | 1>;
}
