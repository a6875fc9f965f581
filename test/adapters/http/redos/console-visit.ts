import { operatorKeys } from '../../../support/http/fixtures.ts';
import { fieldIn } from '../../../support/web/console-pages.ts';
import { getPage, sendForm } from '../../../support/web/page-client.ts';

const signInPath = '/console/sign-in';
/** An entitlement that no conformance case has changed. */
const purchasePath = '/console/entitlements/ent_2';

/** The ways to reach the console: on loopback, over a network, and through a proxy that is trusted or is not. */
const connections: readonly Readonly<Record<string, string>>[] = [
  { Host: '127.0.0.1:9090' },
  { Host: '127.0.0.1:9090', Origin: 'http://127.0.0.1:9090' },
  { Host: 'localhost' },
  { Host: '[::1]:9090' },
  { Host: 'console.shop.example' },
  { Host: '127.0.0.1:9090', Forwarded: 'for=192.0.2.7' },
  { Host: 'console.shop.example', 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https, http' },
];

/** Uses the console at `url` in each way in which it reads what a client sent. */
export async function visitConsole(url: string): Promise<void> {
  for (const headers of connections) await getPage(url + signInPath, { headers });
  const cookie = await signIn(url, operatorKeys.full);
  for (const path of ['', '/revoke']) await getPage(url + purchasePath + path, { headers: cookie });
  await renew(url, cookie);
  await getPage(`${url}${purchasePath}/revoke`, { headers: await signIn(url, operatorKeys.reader) });
}

/** Signs in as an operator, and returns the header field of the session. */
async function signIn(url: string, key: string): Promise<{ readonly Cookie: string }> {
  const { headers } = await sendForm(url + signInPath, { key });
  const [pair] = (headers['set-cookie'] ?? '').split(';', 1);
  if (!pair) throw new Error('the console has begun no session');
  return { Cookie: pair };
}

/** Sends a renewal that is refused, then one that is made, and then one from the page before it, which is stale. */
async function renew(url: string, cookie: { readonly Cookie: string }): Promise<void> {
  const { text } = await getPage(`${url}${purchasePath}/renew`, { headers: cookie });
  const seen = { token: fieldIn(text, 'token'), version: fieldIn(text, 'version') };
  const headers = { ...cookie, Origin: url };
  const statuses: number[] = [];
  for (const currentPeriodEnd of ['2020-01-01T00:00', '2026-09-01T00:00:00.000', '2026-10-01T00:00']) {
    const { status } = await sendForm(`${url}${purchasePath}/renew`, { ...seen, currentPeriodEnd }, headers);
    statuses.push(status);
  }
  if (String(statuses) !== '400,303,409') throw new Error(`the renewals were answered with ${String(statuses)}`);
}
