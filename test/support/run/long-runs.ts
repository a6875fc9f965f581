/** Whether `npm test -- --long` runs every random test in its full length. */
const isLong = process.env['TEST_LONG'] === '1';

/** The number of rounds of a random test: `sample` by default, and `whole` in a long run. */
export function rounds(sample: number, whole: number): number {
  return isLong ? whole : sample;
}
