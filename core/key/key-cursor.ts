import { cursorAt, invalidCursor, positionIn, type ListName } from '../paging/cursor.ts';
import type { KeyPosition } from './keys.port.ts';

/** The cursor behind a key in a list of keys. */
export function keyCursorAt(list: ListName, { createdAt, id }: KeyPosition): string {
  return cursorAt(list, [String(createdAt.getTime()), id]);
}

/** Reads the position in a cursor of a list of keys; null stands for the first page. Refuses with `invalid_parameter`. */
export function keyPositionIn(list: ListName, cursor: string | null): KeyPosition | null {
  if (cursor === null) return null;
  const [milliseconds, id] = positionIn(list, cursor);
  const createdAt = new Date(Number(milliseconds));
  if (id === undefined || Number.isNaN(createdAt.getTime())) throw invalidCursor();
  return { createdAt, id };
}
