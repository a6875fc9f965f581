import { eventTypes } from '../../adapters/stripe/hook/event-subjects.ts';
import type { FakeStripe } from '../../testing/stripe/fake-stripe.ts';
import type { Settings } from '../settings/settings.ts';
import { cleo, dora, monthBefore } from './affiliate-history.ts';
import type { DemoShop } from './outside/outside.ts';
import type { DemoData } from './sample-data.ts';
import { sellAtStripe } from './stripe-sales.ts';

/** Where the service and its administration listen. */
export interface Ports {
  readonly address: string;
  readonly adminAddress: string;
}

/** Brands and creators who have signed up; the first is invited. */
const signUps = [
  { email: 'tessa@pinestreet.example', name: 'Tessa Lind', handle: 'pinestreet', role: 'brand' },
  { email: 'omar@example.com', name: 'Omar Haddad', handle: 'omar_draws', role: 'creator' },
  { email: 'studio@nineoaks.example', name: 'Nine Oaks', handle: null, role: 'brand' },
] as const;

/**
 * The actions of visitors, buyers, affiliates and the owner once the service listens, each through its own operation.
 * Returns the path of the page of a buyer who has just paid; null without a shop.
 */
export async function liveThroughFirstDay(
  { address, adminAddress }: Ports,
  shop: DemoShop | null,
  { operatorKey, signingKeys }: Pick<DemoData, 'operatorKey' | 'signingKeys'>,
  { pages }: Pick<Settings, 'pages'>,
  now: Date,
): Promise<string | null> {
  const administer = (path: string, body: object = {}): Promise<unknown> =>
    send(`${adminAddress}/admin/${path}`, body, { Authorization: `Bearer ${operatorKey}` });
  for (const signUp of signUps) await send(`${address}/api/waitlist`, signUp);
  if (signingKeys !== null) {
    for (const deviceId of ['studio-imac-02', 'rehearsal-laptop']) {
      await send(`${address}/api/licenses/trial`, { productId: 'sketchpad', deviceId });
    }
  }
  const claimPath = shop === null ? null : await sellTo(address, shop.stripe);
  await administer('waitlist/invite', { email: signUps[0].email, products: ['metronome'], mail: true });
  await administer('affiliates', cleo);
  await administer('statements/close', { month: monthBefore(now, 1), handle: cleo.handle });
  if (pages === 'on') await askToPromote('metronome', address, await administer(`affiliates/${dora.handle}/links`));
  return claimPath;
}

async function sellTo(address: string, stripe: FakeStripe): Promise<string> {
  stripe.addEndpoint({ url: `${address}/hooks/stripe`, events: eventTypes });
  const path = `/claim?session_id=${await sellAtStripe(stripe)}`;
  const claim = await fetch(address + path, { headers: { Accept: 'application/json' } });
  const { data } = (await claim.json()) as { readonly data: { readonly licenseKey: string } };
  for (const [deviceId, deviceName] of [
    ['kims-desk', 'Desktop in the studio'],
    ['kims-laptop', 'Laptop'],
  ] as const) {
    await send(`${address}/api/licenses/activate`, { licenseKey: data.licenseKey, deviceId, deviceName });
  }
  return path;
}

/** Asks for a promotion, by the form of the own page of an affiliate. */
async function askToPromote(slug: string, address: string, made: unknown): Promise<void> {
  const { url } = (made as { readonly data: { readonly url: string } }).data;
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const body = new URLSearchParams({ slug });
  // The link begins with `PUBLIC_URL`, which may be a real one.
  const own = `${address}/affiliates/links/${url.split('/').at(-1) ?? ''}`;
  const answer = await fetch(`${own}/promotions`, { method: 'POST', headers, body, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`the form of ${slug} was answered with ${answer.status}`);
}

async function send(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  const answer = await fetch(url, init);
  if (!answer.ok)
    throw new Error(`${new URL(url).pathname} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
