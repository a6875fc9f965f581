import { Refusal } from '../refusal.ts';
import type { PlacedEvent } from './events.port.ts';
import type { LoggedEvent } from './logged-event.ts';

/** A place in the log of a product: behind the event at `position`, whose id begins with `mark`. */
export interface FeedCursor {
  /** 0 before the first event. */
  readonly position: number;
  readonly mark: string;
}

/** The number of characters of an event id in a cursor, after the prefix of the id. They distinguish two logs. */
const markLength = 8;
const prefixLength = 'evt_'.length;

/** The form of a cursor. The documents of the interface have it too. */
export const cursorPattern = `^(?:0-|[1-9][0-9]{0,14}-[A-Za-z0-9_-]{1,${markLength}})$`;

const form = new RegExp(cursorPattern);

/** The place before the first event. */
export const startOfLog: FeedCursor = { position: 0, mark: '' };

export function isCursor(text: string): boolean {
  return form.test(text);
}

/** Reads a cursor that `writeCursor` has written. Refuses any other text with `invalid_cursor`. */
export function readCursor(text: string): FeedCursor {
  if (!isCursor(text)) throw new Refusal('invalid_cursor');
  const end = text.indexOf('-');
  return { position: Number(text.slice(0, end)), mark: text.slice(end + 1) };
}

export function writeCursor({ position, mark }: FeedCursor): string {
  return `${position}-${mark}`;
}

/** The place behind an event. */
export function cursorBehind({ position, event }: PlacedEvent<LoggedEvent>): FeedCursor {
  return { position, mark: event.id.slice(prefixLength, prefixLength + markLength) };
}
