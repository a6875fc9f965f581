/** The whole numbers from 0 to `count` - 1: one for each member of a race or of a list. */
export function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
