import { chromium, type Browser } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** Launches the Chromium of this machine, with further flags of its command line. Throws if the machine has none. */
export async function launchChromium(...flags: readonly string[]): Promise<Browser> {
  const found = await findChromium();
  if (found === null)
    throw new Error('These tests need a Chromium: `npm test` leaves them out on a machine without one.');
  return chromium.launch({ ...(await found()), args: ['--no-sandbox', '--disable-dev-shm-usage', ...flags] });
}
