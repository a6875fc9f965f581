import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runScript } from '../../support/documents/shell.ts';
import { eventually } from '../../support/eventually.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { ConsoleClient } from '../../support/web/console-client.ts';
import { getPage } from '../../support/web/page-client.ts';
import { startDemo, withTemporaryFolder, type StartedDemo } from './started-demo.ts';

/** The labels of the addresses, in the order in which they are printed. */
const labels = [
  'What was mailed',
  'A buyer has paid',
  'A storefront',
  "A merchant's console",
  'The marketplace',
  'The console',
];

const withCurl = isLeftOut('curl') ? null : it;

type Ports = Pick<ConsoleClient['service'], 'adminUrl' | 'merchantUrl'>;

describe('the demo shows', () => {
  const log: string[] = [];
  let folder: string;
  let demo: StartedDemo;
  let urls: readonly string[];
  let [outbox = '', claim = '', storefront = '', marketplace = '']: string[] = [];
  let merchant: ConsoleClient<Ports>;
  let owner: ConsoleClient<Ports>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    demo = await withTemporaryFolder(folder, () => startDemo((line) => void log.push(line)));
    urls = lastLines().map((line) => /http:\S+/.exec(line)?.[0] ?? '');
    [outbox = '', claim = '', storefront = '', , marketplace = ''] = urls;
    const [merchantUrl = '', , adminUrl = ''] = urls.slice(3).map((url) => new URL(url).origin);
    merchant = new ConsoleClient({ adminUrl, merchantUrl }, 'merchants');
    owner = new ConsoleClient({ adminUrl, merchantUrl });
    const [merchantKey, operatorKey] = demo.printed.match(/(?<=\(sign in with )\S+(?=\))/g) ?? [];
    await merchant.signIn(merchantKey);
    await owner.signIn(operatorKey);
  });
  after(() => rm(folder, { recursive: true }));

  const lastLines = (): readonly string[] => demo.printed.trimEnd().split('\n').slice(-labels.length);

  /** The address of the newest mail to somebody, once it is there. */
  const mailTo = async (address: string): Promise<string> => {
    const items = await eventually(
      async () => (await opened(outbox)).text.split('<li>').filter((item) => item.includes(`to ${address},`)),
      ({ length }) => length > 0,
    );
    return new URL(/\/outbox\/\d+/.exec(items[0] ?? '')?.[0] ?? '', outbox).href;
  };

  /** The page of the purchase of a buyer. */
  const purchaseOf = async (email: string): Promise<string> => {
    const found = await owner.submit('/console/find', { what: email });
    const [path = ''] = /\/console\/entitlements\/(?:sub|cs)_\w+/.exec(found.text) ?? [];
    return (await owner.get(path)).text;
  };

  it('six addresses last, each of which answers and is on this machine', async () => {
    expect(lastLines().map((line, index) => line.startsWith(labels[index] ?? ''))).to.deep.equal(
      labels.map(() => true),
    );
    expect(new Set(urls.map((url) => new URL(url).hostname))).to.deep.equal(new Set(['127.0.0.1']));
    for (const url of urls) expect((await opened(url)).status, url).to.equal(200);
  });

  it('a listing with its text, pictures, maker and terms, whose links lead somewhere', async () => {
    const { text, headers } = await getPage(`${marketplace}listings/ledgerline`);
    for (const shown of [
      'by <a',
      'Paper Lantern',
      '10% of every sale',
      '12 months',
      '30 days',
      'What your readers get',
    ])
      expect(text).to.include(shown);
    const makers = new URL(outbox).origin;
    const pictures = text.match(/(?<=src=")http:[^"]+/g) ?? [];
    expect(pictures).to.include.members([`${makers}/icons/ledgerline.svg`, `${makers}/pictures/ledgerline.svg`]);
    expect(headers['content-security-policy']).to.match(new RegExp(`img-src [^;]*${makers}[ ;]`));
    for (const address of pictures)
      expect((await getPage(address)).headers['content-type'], address).to.equal('image/svg+xml');
    const links = text.match(/(?<=<a[^>]*href=")https?:[^"]+/g) ?? [];
    expect(links).to.have.length(4);
    for (const address of links) expect((await opened(address)).status, address).to.equal(200);
  });

  it('the key to the buyer, on the page after the payment and by mail', async () => {
    const page = (await opened(claim)).text;
    expect(page).to.include(`${new URL(outbox).origin}/icons/sketchpad.svg`);
    const key = /LK(-\w{5}){6}/.exec(page)?.[0] ?? 'no key';
    const mail = await mailTo('kim@example.com');
    for (const url of [mail, `${mail}.txt`]) expect((await opened(url)).text).to.include(key);
  });

  it('a storefront, by which somebody buys, so that the affiliate earns', async () => {
    const [link = ''] = /\/go\/cleo\/sketchpad/.exec((await opened(storefront)).text) ?? [];
    const checkout = await opened(new URL(link, storefront).href);
    const filled = [...checkout.text.matchAll(/name="(reference|code)"\s+value="([^"]*)"/g)];
    const [reference = '', code = ''] = filled.map(([, , value]) => value);
    expect([reference, code]).to.deep.equal(['via_cleo_sketchpad', 'CLEO']);
    const price = 'price_sketchpad_pro';
    const body = new URLSearchParams({ price, reference, code, email: 'you@example.com' });
    const paid = await opened(checkout.url, { method: 'POST', body });
    expect([paid.status, new URL(paid.url).pathname]).to.deep.equal([200, '/claim']);
    expect((await opened(await mailTo('you@example.com'))).text).to.match(/LK(-\w{5}){6}/);
    expect(await purchaseOf('you@example.com'))
      .to.include('@cleo')
      .and.to.include('By a promotion code');
  });

  it('a code that nobody has as refused at the checkout', async () => {
    const body = new URLSearchParams({ price: 'price_metronome', code: 'NOBODY', email: 'you@example.com' });
    const { status, text } = await opened(`${new URL(outbox).origin}/buy/metronome`, { method: 'POST', body });
    expect([status, text.includes('This code is not known')]).to.deep.equal([400, true]);
  });

  it('mails by which an affiliate and a merchant come to their pages', async () => {
    for (const [address, shown] of [
      ['cleo@example.com', 'Statements'],
      ['tessa@pinestreet.example', 'metronome'],
    ] as const) {
      const [link = ''] = /(?<=href=")http:[^"]+/.exec((await opened(await mailTo(address))).text) ?? [];
      const page = await opened(link);
      expect([page.status, page.text.toLowerCase().includes(shown.toLowerCase())], address).to.deep.equal([200, true]);
    }
  });

  it('what Stripe has sold, refunded, and what is disputed', async () => {
    const shown = {
      'emil@example.com': ['Sold by Stripe', 'Stripe charges US$19.00 again', 'Sold by', '@cleo'],
      'farah@example.com': ['Sold by Stripe', 'Trial', 'Stripe charges US$290.00 again'],
      'goro@example.com': ['Sold by Stripe', 'the last payment was refunded in full'],
      'hana@example.com': ['Sold by Stripe', 'the last payment is disputed'],
      'kim@example.com': ['Sold by Stripe', '2 of 3 devices', 'Laptop'],
    };
    for (const [email, texts] of Object.entries(shown)) {
      const page = (await purchaseOf(email)).replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
      for (const text of texts) expect(page, email).to.include(text);
    }
  });

  it('what needs a person, and trials', async () => {
    const overview = await eventually(
      async () => (await owner.get('/console')).text,
      (text) => text.includes('knows no such mailbox'),
    );
    for (const shown of ['has paid and has no key', 'knows no such mailbox', 'asks to promote', '1 statement to pay'])
      expect(overview).to.include(shown);
    expect((await owner.get('/console/products/sketchpad')).text.match(/trial_[\w-]+/g)).not.to.equal(null);
  });

  it('a statement of the last month, which is to be paid', async () => {
    const [path = ''] = /\/console\/statements\/st_[\w-]+/.exec((await owner.get('/console/statements')).text) ?? [];
    const { text } = await owner.get(path);
    for (const shown of ['Cleo Marsh', 'PayPal: cleo@example.com', 'Record a payment', '6 sales', '-US$59.70'])
      expect(text).to.include(shown);
  });

  it('purchases in every state, whose changes a receiver got and another one refused', async () => {
    const { text } = await owner.get('/console/entitlements');
    for (const state of ['Active', 'Trial', 'Past due', 'Suspended', 'Expired', 'Revoked', 'order-1001'])
      expect(text).to.include(state);
    for (const [path, status] of [
      ['webhooks/whk_demo', '204'],
      ['webhooks/whk_broken', '503'],
    ] as const) {
      const page = await eventually(
        async () => (await owner.get(`/console/${path}`)).text,
        (shown) => shown.includes(`>${status}<`),
      );
      expect(page, path).to.include(`>${status}<`);
    }
  });

  it('a merchant what is of the own product, and nothing else', async () => {
    const { text } = await merchant.get('/console/products');
    expect(text).to.include('Metronome').and.not.to.include('Sketchpad');
    const pages = ['products/sketchpad', 'products/metronome'].map((path) => merchant.get(`/console/${path}`));
    expect((await Promise.all(pages)).map(({ status }) => status)).to.deep.equal([404, 200]);
  });

  withCurl?.('requests of the administration that can be repeated', async () => {
    const statuses: string[][] = [];
    for (const request of demo.printed.split('\n').filter((line) => line.includes('/admin/'))) {
      const status = (): Promise<string> => runScript(`${request} -o /dev/null -w '%{http_code}'`);
      statuses.push([await status(), await status()]);
    }
    const [changed, added] = [
      ['200', '200'],
      ['201', '200'],
    ];
    expect(statuses).to.deep.equal([added, changed, changed, changed, changed, changed, changed, added]);
  });

  it('no fault at its end, also if its store has been removed', async () => {
    const before = log.length;
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    await demo[Symbol.asyncDispose]();
    expect(log.length).to.be.above(before);
    // A sweep may have noticed the loss before it was stopped. One mailbox of the demo is unknown on purpose.
    const others = log.slice(before).filter((line) => !/"code":"(store_unavailable|550 5\.1\.1)"/.test(line));
    expect(others.join('')).not.to.match(/"level":"(error|fatal)"/);
    expect(log.join('')).not.to.include('"level":"fatal"');
  });
});

/** The page that a browser gets from an address, after redirects. */
async function opened(url: string, init: RequestInit = {}): Promise<{ url: string; status: number; text: string }> {
  const answer = await fetch(url, { ...init, headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-site' } });
  return { url: answer.url, status: answer.status, text: await answer.text() };
}
