import { expect } from 'chai';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { aCall, aOneTimePurchase, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { freshService, startService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import {
  accountUrl,
  administrationIn,
  foldsIn,
  grantWithKey,
  licenseOf,
  sellSketchpad,
  supportUrl,
  textIn,
} from '../../../support/web/buyers.ts';
import { getPage, lastingParts, sendForm, type ReceivedPage } from '../../../support/web/page-client.ts';

const unknownKey = 'LK-00000-00000-00000-00000-00000-00000';

const mailsLostKeys = {
  stripeApiKey: 'sk_test_1',
  stripeApiBase: 'http://127.0.0.1:9',
  smtpUrl: { host: '127.0.0.1', port: 9, security: 'plain', credentials: null },
  mailFrom: { address: 'keys@sketchpad.example', name: null },
} as const;

const canceled = { at: new Date('2026-08-01T00:00:00.000Z'), requestedAt: noon };
const suspended = { kind: 'suspended' } as const;
const unpaid = { kind: 'suspended', causes: ['payment'] } as const;

/** Each state of a license, its badge and its sentence. */
const states: readonly (readonly [name: string, entitlement: Entitlement, badge: string, says: string])[] = [
  ['active', aSubscription(), 'Active', 'Your license works. It renews on 1 August 2026.'],
  ['bought', aOneTimePurchase(), 'Active', 'Your license works. It never ends.'],
  [
    'bought for a time',
    aOneTimePurchase({ accessEndsAt: later(day) }),
    'Active',
    'Your license works. It ends on 19 July 2026.',
  ],
  [
    'trialing',
    aSubscription({ standing: 'trialing' }),
    'Trial',
    'Your license works. The trial ends on 1 August 2026.',
  ],
  [
    'scheduled',
    aSubscription({ cancellation: canceled }),
    'Active',
    'Your license works. It ends on 1 August 2026, because it was canceled.',
  ],
  [
    'scheduled in a trial',
    aSubscription({ standing: 'trialing', cancellation: canceled }),
    'Trial',
    'Your license works. It ends on 1 August 2026, because it was canceled.',
  ],
  [
    'past due',
    aSubscription({ standing: 'past_due' }),
    'Payment missing',
    'A payment has not arrived. Your license works until 2 August 2026.',
  ],
  [
    'past due by the clock',
    aSubscription({ currentPeriodEnd: later(-day), graceUntil: later(day) }),
    'Payment missing',
    'A payment has not arrived. Your license works until 19 July 2026.',
  ],
  [
    'past due until it is suspended',
    aSubscription({ standing: 'past_due', unpaidUntil: later(2 * day) }),
    'Payment missing',
    'A payment has not arrived. Your license works until 20 July 2026.',
  ],
  ['suspended', aSubscription({ hold: suspended }), 'On hold', 'Your license is on hold, by the seller.'],
  [
    'held by a payment, for a reason that nobody knows',
    aSubscription({ hold: unpaid }),
    'On hold',
    'Your license is on hold.',
  ],
  [
    'unpaid by the clock',
    aSubscription({ standing: 'past_due', unpaidUntil: later(-day) }),
    'On hold',
    'Your license is on hold, because a payment is missing.',
  ],
  [
    'canceled',
    aSubscription({ cancellation: { at: later(-day), requestedAt: later(-2 * day) } }),
    'Ended',
    'Your license ended on 17 July 2026, because it was canceled.',
  ],
  [
    'expired',
    aSubscription({ currentPeriodEnd: later(-3 * day), graceUntil: later(-2 * day) }),
    'Ended',
    'Your license ended on 16 July 2026, because it was not renewed.',
  ],
  [
    'revoked',
    aSubscription({ hold: { kind: 'revoked', at: later(-day) } }),
    'Ended',
    'Your license ended on 17 July 2026, because it was taken back.',
  ],
];

/** Looks a key up on the page. */
function lookUp({ url }: TestService, licenseKey: string): Promise<ReceivedPage> {
  return sendForm(`${url}/license`, { licenseKey });
}

/** The page without what was typed and the correlation id. */
function sameFor({ text, headers }: ReceivedPage, typed: string): string {
  return text.replaceAll(typed, 'TYPED').replaceAll(headers['x-request-id'] ?? '', 'ID');
}

/** Where a license can be changed, as the page says it. */
function waysIn(page: string): string {
  return /Change it (.*?) (?:Use it|It does not work\?|Look up)/.exec(textIn(page))?.[1] ?? '';
}

describe('/license', () => {
  const service = freshService(memory, { siteName: 'Sketchpad' });
  beforeEach(() => sellSketchpad(service()));

  it('asks for a key, without a script, a cookie or a link to the marketplace', async () => {
    const { status, headers, text } = await getPage(`${service().url}/license`);
    expect(status).to.equal(200);
    expect(text).to.match(/<form method="post" action="\/license" novalidate>/);
    expect(text).to.match(/<label for="license-key">License key<\/label\s*>/);
    expect(text).to.include('name="licenseKey"').and.include('<button class="button primary">Show license</button>');
    expect(text)
      .to.match(/<a class="brand" href="\/license"/)
      .and.match(/href="\/license"\s+aria-current="page"/);
    expect(text).to.not.match(/<script|href="\/"|href="\/waitlist"|Lost your key/);
    expect(headers['set-cookie']).to.equal(undefined);
  });

  for (const [name, entitlement, badge, says] of states) {
    it(`says the state of a license that is ${name}`, async () => {
      const key = await grantWithKey(service(), entitlement);
      const { status, text } = await lookUp(service(), ` ${key}\n`);
      expect(status).to.equal(200);
      expect(textIn(text)).to.include(says);
      expect(text).to.match(new RegExp(`</svg>\\s*${badge}</span`));
      expect(text).to.include(`key ends with <span class="mono">${key.slice(-4)}</span>`);
      expect(text).to.match(/<h1 dir="auto">Sketchpad<\/h1>/);
    });
  }

  it('opens the app with the key as it was typed, where it works and the product has a link for it', async () => {
    const activateUrl = `sketchpad://activate?key={key}&from="it's"`;
    const opens = /<a class="button" href="([^"]*)"\s*>Open in <bdi>Sketchpad<\/bdi><\/a\s*>/;
    const [key, ended] = [
      await grantWithKey(service(), aSubscription()),
      await grantWithKey(
        service(),
        aSubscription({ id: 'ent_2', currentPeriodEnd: later(-day), graceUntil: later(-1) }),
      ),
    ];
    expect((await lookUp(service(), key)).text).to.not.match(opens);
    await sellSketchpad(service(), { activateUrl });
    const typed = `${key.toLowerCase()} `.replaceAll('-', ' ');
    const { text } = await lookUp(service(), typed);
    const href = `sketchpad://activate?key=${encodeURIComponent(typed.trim())}&amp;from=&quot;it&#39;s&quot;`;
    expect(opens.exec(text)?.[1]).to.equal(href);
    expect(textIn(text)).to.include(
      'Nothing opens? Start Sketchpad yourself, and paste the key where it asks for one.',
    );
    expect((await lookUp(service(), ended)).text).to.not.match(opens);
  });

  it('leads to the account where a payment is missing, and to help by the state', async () => {
    const late = textIn(
      (await lookUp(service(), await grantWithKey(service(), aSubscription({ standing: 'past_due' })))).text,
    );
    expect(late)
      .to.include('Update it at sketchpad.example Paid, and it still says so?')
      .and.include('Three things to try');
    const ended = aSubscription({ id: 'ent_2', cancellation: { at: later(-day), requestedAt: later(-day) } });
    const { text } = await lookUp(service(), await grantWithKey(service(), ended));
    expect(text)
      .to.include('What you can do')
      .and.match(new RegExp(`<a href="${accountUrl}" rel="noopener">buy it anew`));
    expect(text)
      .to.include(`href="${supportUrl}"`)
      .and.not.match(/Devices|without a network|Change it/);
  });

  it('says where to change it: at the account, and by a link of the seller', async () => {
    const key = await grantWithKey(service(), aSubscription());
    const alone = 'A key can be copied, so it alone cannot do this.';
    const ways = async (links: object): Promise<string> => {
      await sellSketchpad(service(), links);
      return waysIn((await lookUp(service(), key)).text);
    };
    const account = 'Cancel, or see invoices at sketchpad.example, where you pay';
    expect(await ways({ accountUrl, supportUrl })).to.equal(
      `${account} Replace the key ${alone} Ask Sketchpad for a link.`,
    );
    expect(await ways({ supportUrl })).to.equal(`Cancel, or replace the key ${alone} Ask Sketchpad for a link.`);
    expect(await ways({})).to.equal(`Cancel, or replace the key ${alone} Ask the seller for a link.`);
  });

  const ways = async (entitlement: Entitlement, links: object): Promise<string> => {
    await sellSketchpad(service(), links);
    return waysIn((await lookUp(service(), await grantWithKey(service(), entitlement))).text);
  };

  it('says what can be changed of what was canceled, and of what was bought once', async () => {
    const scheduled = aSubscription({ cancellation: canceled });
    expect(await ways(scheduled, { accountUrl })).to.match(/^Resume, or see invoices at .* Replace the key A key/);
    expect(await ways({ ...scheduled, id: 'ent_2' }, {})).to.match(/^Resume, or replace the key A key/);
    expect(await ways(aOneTimePurchase({ id: 'ent_3' }), { accountUrl })).to.match(
      /^See invoices at .* Replace the key A key/,
    );
    expect(await ways(aOneTimePurchase({ id: 'ent_4' }), {})).to.match(/^Replace the key A key/);
  });

  it('leads to the mail with a link where lost keys are mailed, for sales of Stripe', async () => {
    const mailing = await startService(memory, mailsLostKeys);
    try {
      await sellSketchpad(mailing, { accountUrl, supportUrl });
      const pageOf = async (id: string): Promise<string> =>
        (await lookUp(mailing, await grantWithKey(mailing, aSubscription({ id })))).text;
      const sold = await pageOf('sub_1');
      expect(waysIn(sold)).to.match(/ Replace the key by a link that we mail to you$/);
      expect(sold).to.match(/<a href="\/license\/lost">Replace the key<\/a\s*>/);
      expect(waysIn(await pageOf('ent_1'))).to.match(/ Ask Sketchpad for a link\.$/);
    } finally {
      await mailing.stop();
    }
  });

  it('folds what few buyers need, and opens nothing by itself', async () => {
    await sellSketchpad(service(), { supportUrl });
    const { text } = await lookUp(service(), await grantWithKey(service(), aSubscription({ deviceLimit: 1 })));
    expect(foldsIn(text)).to.deep.equal([
      'closed: Use it on a machine without a network A file that works for 14 days',
      'closed: It does not work? Three things to try',
    ]);
    await sellSketchpad(service(), {});
    const own = 'a-key-of-another-vendor-0001';
    await service().grant(aSubscription({ id: 'ent_2', license: licenseOf(own) }));
    expect(foldsIn((await lookUp(service(), own)).text).at(-1)).to.equal('closed: It does not work?');
  });

  it('answers unknown keys and revoked licenses with the same page, and keeps what was typed', async () => {
    const revoked = await grantWithKey(service(), aSubscription());
    await administrationIn(service()).revokeLicense('ent_1', aCall());
    const [one, other] = [await lookUp(service(), revoked), await lookUp(service(), unknownKey)];
    expect([one.status, one.headers['error-code']]).to.deep.equal([404, 'license_not_found']);
    expect(lastingParts(one)).to.deep.equal(lastingParts(other));
    expect(sameFor(one, revoked)).to.equal(sameFor(other, unknownKey));
    expect(other.text).to.include(`value="${unknownKey}"`).and.include('aria-invalid="true"');
    expect(other.text)
      .to.match(/<title>Key not found · /)
      .and.include('<h1>We do not know this key</h1>');
  });

  for (const typed of ['', ' ', 'LK-7Q2M9', 'x'.repeat(121), ` ${'x'.repeat(23)} `]) {
    it(`refuses ${JSON.stringify(typed.slice(0, 30))} as no whole key, and changes nothing that was typed`, async () => {
      const { status, headers, text } = await lookUp(service(), typed);
      expect([status, headers['error-code']]).to.deep.equal([400, 'malformed_license_key']);
      expect(text).to.include(`value="${typed.trim()}"`);
    });
  }

  it('has the headers of an address that holds a secret, on every answer', async () => {
    const key = await grantWithKey(service(), aSubscription());
    const answers = [
      await getPage(`${service().url}/license`),
      await lookUp(service(), key),
      await lookUp(service(), unknownKey),
      await sendForm(`${service().url}/license/receipt`, { licenseKey: key }),
      await sendForm(`${service().url}/license/receipt`, { licenseKey: key, as: 'file' }),
      await sendForm(`${service().url}/license/release`, { licenseKey: key }),
      await getPage(`${service().url}/license`, {
        method: 'POST',
        body: '{}',
        headers: { 'Content-Type': 'text/plain' },
      }),
    ];
    for (const { headers } of answers) {
      expect(headers).to.include({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy'])
        .to.match(/^default-src 'none'/)
        .and.not.match(/script-src|connect-src/);
      expect(headers['set-cookie']).to.equal(undefined);
    }
  });

  it('puts no key into the log', async () => {
    const key = await grantWithKey(service(), aSubscription({ deviceLimit: 1 }));
    await lookUp(service(), key);
    await lookUp(service(), unknownKey);
    await sendForm(`${service().url}/license/receipt`, { licenseKey: key, deviceId: 'device-0001' });
    const log = JSON.stringify(service().logged);
    expect(log).to.include('"route":"/license/receipt"').and.not.include(key.slice(0, 14)).and.not.include('LK-');
  });

  it('escapes what was typed and what a seller has named', async () => {
    const hostile = '"><script>alert(1)</script>';
    await sellSketchpad(service(), { name: hostile });
    const key = await grantWithKey(service(), aSubscription({ tierName: hostile }));
    for (const { text } of [await lookUp(service(), key), await lookUp(service(), hostile.padEnd(30, 'x'))]) {
      expect(text).to.include('&lt;script&gt;').and.not.include('<script');
    }
  });

  it('counts unknown keys of a client, 20 a minute, and no others', async () => {
    const key = await grantWithKey(service(), aSubscription());
    for (const _ of range(25)) expect((await lookUp(service(), key)).status).to.equal(200);
    const paths = ['license', 'license/release', 'license/receipt'];
    for (const index of range(20)) {
      const path = `${service().url}/${paths[index % 3] ?? ''}`;
      expect((await sendForm(path, { licenseKey: unknownKey })).status).to.equal(404);
    }
    expect((await lookUp(service(), 'short')).status).to.equal(429);
    const refused = await lookUp(service(), key);
    expect([refused.status, refused.headers['error-code']]).to.deep.equal([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(textIn(refused.text)).to.include('Too many requests').and.include('Look up another key');
    expect((await service().verify({ licenseKey: unknownKey })).status).to.equal(200);
  });
});
