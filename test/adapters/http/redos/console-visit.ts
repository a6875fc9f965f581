import { operatorKeys } from '../../../support/http/fixtures.ts';
import { fieldIn } from '../../../support/web/console-pages.ts';
import { getPage, sendForm } from '../../../support/web/page-client.ts';

const signInPath = '/console/sign-in';
/** An entitlement that no conformance case has changed. */
const purchasePath = '/console/entitlements/ent_2';

/** The header field that browsers send with a form of the console, where the connection is secure. */
const ownForm = { 'Sec-Fetch-Site': 'same-origin' };

/** The ways to reach the console: on loopback, over a network, and through a proxy that is trusted or is not. */
const connections: readonly Readonly<Record<string, string>>[] = [
  { Host: '127.0.0.1:9090' },
  { Host: '127.0.0.1:9090', Origin: 'http://127.0.0.1:9090', ...ownForm },
  { Host: 'localhost', ...ownForm },
  { Host: '[::1]:9090', ...ownForm },
  { Host: 'console.shop.example' },
  { Host: '127.0.0.1:9090', Forwarded: 'for=192.0.2.7' },
  { Host: 'console.shop.example', 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https, http' },
];

/** Lists with every filter that they have, and one that leads to signing in. */
const lists = [
  'entitlements?product=com.example.app&status=active&reference=a%20b&endsBefore=2026-09-01',
  'events?product=com.example.app&type=entitlement.granted&after=a',
  'listings?after=a',
  'listings/add',
  'waitlist',
  'affiliates?state=asks&handle=%40Ada_L',
  'statements?state=to_pay&month=2026-11&product=a%20b&handle=%40Ada_L',
  'statements/close?month=2026-06',
  'no/such/page',
];

const listing = {
  slug: 'quiet-editor',
  name: 'Quiet Editor',
  category: 'Writing',
  blurb: 'A text editor\r\nthat stays out of the way',
  compensationType: 'both',
  commissionPercent: '12.5',
  compensationLabel: '12.5% of every sale',
  upfrontCents: '100',
  storefrontCount: '3',
  url: 'https://quiet-editor.example/partners',
  imageUrl: 'https://quiet-editor.example/1.png',
  description: '## A text\r\n- that **stays** out of the way',
  commissionFor: '12',
  contactUrl: 'mailto:a@quiet-editor.example',
  pictureUrl: 'https://quiet-editor.example/2.png',
};

const row = 'quiet-editor,Quiet,"two\r\nlines, ""quoted""",Writing,12.5,both,\'=x,3,TRUE';
const columns =
  'slug,name,blurb,category,commissionPercent,compensationType,compensationLabel,storefrontCount,featured';

/** Forms as operators fill them in, valid and not. */
const forms: readonly (readonly [path: string, form: Readonly<Record<string, string>>])[] = [
  ...['ent_2', 'svc-0000-0000', '7KQ2-F9XM-4TBD-H3WC-8RNE-5PZA', 'a@b.example', 'order 17', '<&"', ''].map(
    (what) => ['find', { what }] as const,
  ),
  ...['preview', 'review', 'edit'].map((step) => ['listings/add', { ...listing, step }] as const),
  ['listings/add', { step: 'review', url: 'javascript:', upfrontCents: 'many', storefrontCount: '-1' }],
  ['listings/import', { step: 'check', csv: `\uFEFF${columns}\r\n${row}\r\n${row},\r\nx\r\n` }],
  ['listings/import', { step: 'check', csv: `${columns.replace('slug', 'Sulg')},period-end\n${row}` }],
  ['listings/import', { step: 'check', csv: columns.replace(',name', '').concat('\n', row.replace('Quiet,', '')) }],
  ['listings/import', { step: 'edit', csv: '<a href="b">' }],
  ['affiliates/add', { email: 'ada@example.com', handle: 'Not a handle', name: '<&"' }],
  ['statements/close', { month: '2026-6', product: 'Not an id' }],
  ['products/add', { id: 'Not an id', name: '<&"' }],
  ['products/prod_1/tiers/add', { id: 'Not an id', deviceLimit: 'many', features: 'sso=true\r\ntheme="<&\nA=b' }],
  ['products/prod_1/tiers/pro/change', { deviceLimit: '3', features: 'theme=dark', version: '{"Revision":"1"}' }],
  ['products/prod_1/rename', { name: 'a', version: '{"Name":"b"}' }],
];

/** Uses the console at `url` in each way in which it reads what a client sent. */
export async function visitConsole(url: string): Promise<void> {
  for (const headers of connections) await getPage(url + signInPath, { headers });
  const session = await signIn(url, operatorKeys.full);
  for (const path of ['', '/revoke']) await getPage(url + purchasePath + path, { headers: session });
  await extend(url, session);
  for (const [path, form] of forms) await submit(url, session, path, form);
  for (const path of lists) await getPage(`${url}/console/${path}`, { headers: session });
  await getPage(`${url}${purchasePath}/revoke`, { headers: await signIn(url, operatorKeys.reader) });
}

/** The header fields of a session. */
type Session = Readonly<Record<'Cookie' | 'Sec-Fetch-Site', string>>;

/** Signs in as an operator, and returns the header fields of the session. */
export async function signIn(url: string, key: string): Promise<Session> {
  const { headers } = await sendForm(url + signInPath, { key }, ownForm);
  const [pair] = (headers['set-cookie'] ?? '').split(';', 1);
  if (!pair) throw new Error('the console has begun no session');
  return { Cookie: pair, ...ownForm };
}

/** Sends an extension that is refused, one that asks once more, one that is made, and then one from the page before it, which is stale. */
async function extend(url: string, session: Session): Promise<void> {
  const { text } = await getPage(`${url}${purchasePath}/extend`, { headers: session });
  const seen = { token: fieldIn(text, 'token'), version: fieldIn(text, 'version') };
  const statuses: number[] = [];
  for (const until of ['2020-01-01T00:00', '2728-01-01T00:00', '2026-09-01T00:00:00.000', '2026-10-01T00:00']) {
    const asked = { ...seen, by: 'until', until, from: '2026-08-01T00:00:00Z', sure: '2026-08-01T00:00' };
    const { status } = await sendForm(`${url}${purchasePath}/extend`, asked, session);
    statuses.push(status);
  }
  if (String(statuses) !== '400,200,303,409') throw new Error(`the extensions were answered with ${String(statuses)}`);
}

/** Sends a form with the token of the session, whatever becomes of it. */
async function submit(
  url: string,
  session: Session,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<void> {
  const { text } = await getPage(`${url}/console/listings/import`, { headers: session });
  await sendForm(`${url}/console/${path}`, { token: fieldIn(text, 'token'), ...form }, session);
}
