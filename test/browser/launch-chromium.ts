import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** Makes Inter the font of the system, where it is installed. Chromium of macOS does not read it. */
const fonts = join(import.meta.dirname, 'fonts.conf');

/** Launches the Chromium of this machine, with further flags of its command line. Throws if the machine has none. */
export async function launchChromium(...flags: readonly string[]): Promise<Browser> {
  const found = await findChromium();
  if (found === null)
    throw new Error('These tests need a Chromium: `npm test` leaves them out on a machine without one.');
  const { executablePath, env = { ...process.env, FONTCONFIG_FILE: fonts } } = await found();
  return chromium.launch({ executablePath, env, args: ['--no-sandbox', '--disable-dev-shm-usage', ...flags] });
}
