/** Whether `npm test -- --long` runs every random test in its full length. */
const isLong = process.env['TEST_LONG'] === '1';

/** How often a random test does its work: `sample` times by default, and `whole` times in a long run. */
export function rounds(sample: number, whole: number): number {
  return isLong ? whole : sample;
}
