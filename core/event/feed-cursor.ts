import { Refusal } from '../refusal.ts';
import type { PlacedEvent } from './events.port.ts';

/** A place in the log of a product: behind the event at `position`, whose id begins with `mark`. */
export interface FeedCursor {
  /** 0 before the first event. */
  readonly position: number;
  readonly mark: string;
}

/** How many characters of an id behind its prefix a cursor holds, which tell two logs apart. */
const markLength = 8;
const prefixLength = 'evt_'.length;

/** The form of a cursor, for the documents of the interface. */
export const cursorPattern = `^(?:0-|[1-9][0-9]{0,14}-[A-Za-z0-9_-]{1,${markLength}})$`;

const form = /^(0|[1-9][0-9]{0,14})-([A-Za-z0-9_-]{0,8})$/;

/** The place before the first event. */
export const startOfLog: FeedCursor = { position: 0, mark: '' };

/** Reads a cursor that `writeCursor` has written. Refuses any other text with `invalid_cursor`. */
export function readCursor(text: string): FeedCursor {
  const [, position = '', mark = ''] = form.exec(text) ?? [];
  if (position === '' || (position === '0') !== (mark === '')) throw new Refusal('invalid_cursor');
  return { position: Number(position), mark };
}

export function writeCursor({ position, mark }: FeedCursor): string {
  return `${position}-${mark}`;
}

/** The place behind an event. */
export function cursorBehind({ position, event }: PlacedEvent): FeedCursor {
  return { position, mark: event.id.slice(prefixLength, prefixLength + markLength) };
}
