import { numberText } from '../../markup/figures.ts';

/** A number of things, from the maximum that was counted on as "1,000+". */
export function countText(count: number, isMore = false): string {
  return numberText(count) + (isMore ? '+' : '');
}

/** "1 event", "12 events". */
export function countOf(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${countText(count)} ${thing}s`;
}
