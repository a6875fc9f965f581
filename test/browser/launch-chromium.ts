import { join } from 'node:path';
import { chromium, type Browser, type BrowserServer } from 'playwright-core';
import { borrow } from '../support/lending/borrow.ts';
import { findChromium } from './chromium.ts';

/** Makes Inter the font of the system, where it is installed. Chromium of macOS does not read it. */
const fonts = join(import.meta.dirname, 'fonts.conf');

/** The Chromium of the run, which reaches no host but this machine. After the calling suite it closes what that has opened. */
export function borrowChromium(): () => Browser {
  let browser: Browser;
  before(async () => {
    browser = await chromium.connect(await borrow('browser'));
  });
  after(() => browser.close());
  return () => browser;
}

/** Launches the Chromium that a run lends. Throws if this machine has none. */
export async function serveChromium(): Promise<BrowserServer> {
  const how = await launchOptions(['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1']);
  // Who lends it ends it.
  return chromium.launchServer({ ...how, host: '127.0.0.1', handleSIGINT: false });
}

/** Launches the Chromium of this machine, with further flags of its command line. Throws if the machine has none. */
export async function launchChromium(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch(await launchOptions(flags));
}

async function launchOptions(flags: readonly string[]): Promise<NonNullable<Parameters<typeof chromium.launch>[0]>> {
  const found = await findChromium();
  if (found === null)
    throw new Error('These tests need a Chromium: `npm test` leaves them out on a machine without one.');
  const { executablePath, env = { ...process.env, FONTCONFIG_FILE: fonts } } = await found();
  return { executablePath, env, args: ['--no-sandbox', '--disable-dev-shm-usage', ...flags] };
}
