import { numberText } from '../../markup/figures.ts';

/** A number of things, from the maximum that was counted on as "1,000+". */
export function countText(count: number, isMore = false): string {
  return numberText(count) + (isMore ? '+' : '');
}
