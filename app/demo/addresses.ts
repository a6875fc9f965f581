import type { Settings } from '../settings/settings.ts';
import { cleo } from './affiliate-history.ts';
import type { DemoData } from './sample-data.ts';

/** Where the demo listens. */
export interface DemoAddresses {
  readonly address: string;
  readonly adminAddress: string;
  /** Where merchants sign in. */
  readonly merchantAddress: string;
  readonly outboxUrl: string;
  /** The path of the page of a buyer who has just paid; null without Stripe. */
  readonly claimPath: string | null;
}

/** Where to look with a browser. The two most important addresses are last, because those are still on the screen. */
export function addressesText(
  { address, adminAddress, merchantAddress, outboxUrl, claimPath }: DemoAddresses,
  { operatorKey, merchantKey }: Pick<DemoData, 'operatorKey' | 'merchantKey'>,
  { pages, console }: Pick<Settings, 'pages' | 'console'>,
): string {
  const rows: readonly (readonly [isServed: boolean, what: string, url: string, key: string | null])[] = [
    [true, 'What was mailed', outboxUrl, null],
    [claimPath !== null && pages !== 'off', 'A buyer has paid', `${address}${claimPath ?? ''}`, null],
    [pages === 'on', 'A storefront: buy there', `${address}/@${cleo.handle}`, null],
    [console === 'on', "A merchant's console", `${merchantAddress}/console`, merchantKey],
    [pages === 'on', 'The marketplace', `${address}/`, null],
    [console === 'on', 'The console', `${adminAddress}/console`, operatorKey],
  ];
  const lines = rows
    .filter(([isServed]) => isServed)
    .map(([, what, url, key]) => `${what.padEnd(25)}${url}${key === null ? '' : `  (sign in with ${key})`}\n`);
  return lines.length === 0 ? '' : `In a browser, until Ctrl-C ends it:\n\n${lines.join('')}`;
}
