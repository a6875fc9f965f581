import type { Need } from './options.ts';

/** Whether `npm test` leaves out the tests that need this. */
export function isLeftOut(need: Need): boolean {
  return (process.env['TEST_WITHOUT'] ?? '').split(',').includes(need);
}
