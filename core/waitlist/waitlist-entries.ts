import type { Call, NewCall } from '../call.ts';
import { cursorAt, textIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import { Refusal } from '../refusal.ts';
import { addressOf, isDeliverable, type SignUp } from './sign-up.ts';
import type { Waitlist } from './waitlist.port.ts';

/** Adds a sign-up, without revealing whether the address was known. Refuses with `invalid_email`. */
export type JoinWaitlist = (signUp: Omit<SignUp, 'at'>, call: Call) => Promise<void>;

export function joinWaitlist(waitlist: Waitlist): JoinWaitlist {
  return async (signUp, call) => {
    if (!isDeliverable(signUp.email)) throw new Refusal('invalid_email');
    await waitlist.join({ ...signUp, at: call.now }, call);
  };
}

const list = ['waitlist'] as const;

/**
 * Lists entries of the waitlist by address in code-point order. A cursor contains an address. Refuses with
 * `invalid_parameter` for a cursor of another list.
 */
export type ListWaitlist = (page: PageRequest, call: Call) => Promise<Page<SignUp>>;

export function listWaitlist(waitlist: Waitlist): ListWaitlist {
  return async (page, call) => {
    const after = textIn(list, page.after);
    const found = await waitlist.page(after, page.limit + 1, call);
    return pageOf(found, page, ({ email }) => cursorAt(list, [addressOf(email)]));
  };
}

/** Walks over every entry in the order of `ListWaitlist`. */
export type EverySignUp = (newCall: NewCall) => AsyncIterable<SignUp>;

export function everySignUp(waitlist: Waitlist): EverySignUp {
  return (newCall) =>
    walk((last, limit, call) => waitlist.page(last === null ? null : addressOf(last.email), limit, call), newCall);
}
