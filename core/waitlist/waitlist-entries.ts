import type { Call, NewCall } from '../call.ts';
import { cursorAt, textIn, type ListName } from '../paging/cursor.ts';
import { examinedPage } from '../paging/examined-page.ts';
import type { Page, PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import { Refusal } from '../refusal.ts';
import type { WaitlistEntry } from './invitation.ts';
import { addressOf, isDeliverable, type SignUp, type WaitlistRole } from './sign-up.ts';
import type { Waitlist } from './waitlist.port.ts';

/** Adds a sign-up, without revealing whether the address was known. Refuses with `invalid_email`. */
export type JoinWaitlist = (signUp: Omit<SignUp, 'at'>, call: Call) => Promise<void>;

export function joinWaitlist(waitlist: Waitlist): JoinWaitlist {
  return async (signUp, call) => {
    if (!isDeliverable(signUp.email)) throw new Refusal('invalid_email');
    await waitlist.join({ ...signUp, at: call.now }, call);
  };
}

/**
 * Lists entries of the waitlist by address in code-point order, all or those with a role. Looks at no more than 2,000 for
 * one page: a page of a role may have fewer than `limit`, even none, and still a next one. A cursor contains an address.
 * Refuses with `invalid_parameter` for a cursor of another list.
 */
export type ListWaitlist = (role: WaitlistRole | null, page: PageRequest, call: Call) => Promise<Page<WaitlistEntry>>;

export function listWaitlist(waitlist: Waitlist): ListWaitlist {
  return async (role, { after, limit }, call) => {
    const list: ListName = role === null ? ['waitlist'] : ['waitlist of a role', role];
    const start = textIn(list, after);
    const { items, last } = await examinedPage<WaitlistEntry, WaitlistEntry>({
      limit,
      showsAll: role === null,
      read: (from, size) => waitlist.page(from === null ? start : addressOf(from.email), size, call),
      show: (signUp) => (role === null || signUp.role === role ? signUp : null),
    });
    return { items, next: last === null ? null : cursorAt(list, [addressOf(last.email)]) };
  };
}

/** Walks over every entry in the order of `ListWaitlist`. */
export type EverySignUp = (newCall: NewCall) => AsyncIterable<WaitlistEntry>;

export function everySignUp(waitlist: Waitlist): EverySignUp {
  return (newCall) =>
    walk((last, limit, call) => waitlist.page(last === null ? null : addressOf(last.email), limit, call), newCall);
}
