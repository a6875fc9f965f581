import type { FollowerParts } from '../../core/feed/feed-follower.ts';
import { newCall } from './new-call.ts';

/** The maximum number of requests that a process holds at once. Each has a connection of its own. */
const maxHeld = 1000;
const maxHeldOfProduct = 250;

/** Milliseconds that one look for new events may take. */
const lookDeadline = 1000;

/** What a process follows the feed with. */
export function followerParts(events: FollowerParts['events']): FollowerParts {
  return {
    events,
    clock: () => performance.now(),
    newCall: () => newCall(new Date(), lookDeadline, 'clock'),
    setTimer: (milliseconds, action) => void setTimeout(action, milliseconds).unref(),
    maxHeld,
    maxHeldOfProduct,
  };
}
