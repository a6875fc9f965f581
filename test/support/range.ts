/** Returns the whole numbers from 0 to `count` - 1. */
export function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
