import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aOneTimePurchase, aSubscription, hour, later, noon } from '../../../support/builders.ts';
import { appKeys, operatorKeys } from '../../../support/http/fixtures.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { administrationIn, grantWithKey, sellSketchpad, supportUrl, textIn } from '../../../support/web/buyers.ts';
import { getPage, lastingParts, sendForm, type ReceivedPage } from '../../../support/web/page-client.ts';

const tokenForm = /\/license\/links\/([\w-]{43})$/;

const dataOf = ({ body }: Reply): Readonly<Record<string, unknown>> =>
  (body as { readonly data: Readonly<Record<string, unknown>> }).data;

const versionIn = ({ text }: ReceivedPage): string => /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';

const codeOf = ({ status, headers }: Reply | ReceivedPage): readonly [number, string | undefined] => [
  status,
  headers['error-code'],
];

describe('links for buyers', () => {
  const service = freshService(memory, { adminPort: 0 });
  beforeEach(() => sellSketchpad(service(), { supportUrl }));

  const ask = (id: string, body?: unknown, key: string = appKeys.full): Promise<Reply> =>
    service().send(`/api/app-entitlements/${id}/links`, {
      method: 'POST',
      headers: [bearer(key), ...(body === undefined ? [] : [json])],
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const end = (id: string): Promise<Reply> =>
    service().send(`/api/app-entitlements/${id}/links`, { method: 'DELETE', headers: [bearer()] });
  const linkTo = async (id = 'ent_1', body?: unknown): Promise<string> => String(dataOf(await ask(id, body))['url']);
  const historyOf = async (): Promise<readonly string[]> =>
    (await administrationIn(service()).showHistory('ent_1', aCall())).map(({ by, operation }) => `${by} ${operation}`);

  const offered = async (id: string): Promise<readonly string[]> => {
    const { text } = await getPage(await linkTo(id));
    return ['cancel', 'resume', 'replace'].filter((change) => text.includes(`/${change}">`));
  };

  it('are made for an hour, for a given time, and with a way back', async () => {
    await grantWithKey(service(), aSubscription());
    const made = await ask('ent_1');
    expect(made.headers['cache-control']).to.equal('no-store');
    expect(dataOf(made)['url']).to.match(new RegExp(`^${service().url}/license/links/[\\w-]{43}$`));
    expect(dataOf(made)['expiresAt']).to.equal(later(hour).toISOString());
    for (const [expires, time] of [
      ['5m', hour / 12],
      ['24h', 24 * hour],
      ['1d', 24 * hour],
      [null, hour],
    ] as const) {
      expect(dataOf(await ask('ent_1', { expires }))['expiresAt']).to.equal(later(time).toISOString());
    }
    const back = await getPage(await linkTo('ent_1', { returnUrl: 'https://shop.example/account?a=1&b=2' }));
    expect(back.text).to.include(
      'href="https://shop.example/account?a=1&amp;b=2" rel="noopener">Back to shop.example</a>',
    );
  });

  it('are refused for other entitlements and bodies, and change nothing then', async () => {
    await grantWithKey(service(), aSubscription());
    for (const body of [
      { expires: '4m' },
      { expires: '25h' },
      { expires: 3600 },
      { expires: '' },
      { returnUrl: 'http://shop.example' },
      { returnUrl: 'javascript:alert(1)' },
      { returnUrl: 'https://shop.example@evil.example' },
      [],
      'text',
    ]) {
      expect(codeOf(await ask('ent_1', body)), JSON.stringify(body)).to.deep.equal([400, 'invalid_body']);
    }
    await service().addAppKey(appKeys.otherProduct, { id: 'key_2', productId: 'prod_2' });
    await service().addAppKey(appKeys.readOnly, { id: 'key_3', scopes: ['read:entitlements'] });
    expect(codeOf(await ask('ent_2'))).to.deep.equal([404, 'entitlement_not_found']);
    expect(codeOf(await ask('ent_1', undefined, appKeys.otherProduct))).to.deep.equal([404, 'entitlement_not_found']);
    expect(codeOf(await ask('ent_1', undefined, appKeys.readOnly))).to.deep.equal([403, 'insufficient_scope']);
    expect(codeOf(await end('ent_2'))).to.deep.equal([404, 'entitlement_not_found']);
    expect(dataOf(await end('ent_1'))).to.deep.equal({ ended: 0 });
  });

  it('show the license ten times and change nothing', async () => {
    await grantWithKey(service(), aSubscription({ deviceLimit: 2 }));
    const url = await linkTo();
    const before = await service().stored();
    for (const path of ['', '/cancel', '/resume', '/replace', '?done=cancel', '?done=resume']) {
      for (const method of ['GET', 'HEAD']) for (const _ of range(5)) await getPage(url + path, { method });
    }
    expect(await service().stored()).to.deep.equal(before);
    const { text, headers } = await getPage(url);
    expect(textIn(text)).to.include('Change it Cancel You keep it until 1 August 2026. Nothing is charged after that.');
    expect(textIn(text)).to.include('Replace the key').and.include('0 of 2 in use').and.include('until 13:00 UTC.');
    expect(text).to.not.match(/<script|Cancel, or see invoices|role="status"/);
    expect(headers).to.include({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).to.not.match(/script-src|connect-src/);
  });

  it('cancel, resume and replace the key, each after a question', async () => {
    await sellSketchpad(service(), { activateUrl: 'sketchpad:{key}' });
    const key = await grantWithKey(service(), aSubscription());
    const url = await linkTo();
    const path = new URL(url).pathname;
    for (const [change, question, button, status] of [
      ['cancel', 'Cancel Sketchpad Pro?', 'Cancel subscription', 'Canceled'],
      ['resume', 'Resume Sketchpad Pro?', 'Resume subscription', 'Resumed'],
    ] as const) {
      const asked = await getPage(`${url}/${change}`);
      expect(textIn(asked.text)).to.include(question).and.include(button).and.include('Keep it');
      const done = await sendForm(`${url}/${change}`, { version: versionIn(asked) });
      expect([done.status, done.headers['location']]).to.deep.equal([303, `${path}?done=${change}`]);
      const shown = await getPage(`${url}?done=${change}`);
      expect(shown.text).to.match(/<div class="note ok"\s+role="status"/);
      expect(textIn(shown.text)).to.include(status);
      const gone = await getPage(`${url}/${change}`);
      expect([gone.status, gone.headers['location']]).to.deep.equal([303, path]);
    }
    const asked = await getPage(`${url}/replace`);
    expect(textIn(asked.text)).to.include(`The key that ends with ${key.slice(-4)} stops working at once.`);
    const version = versionIn(asked);
    const replaced = await sendForm(`${url}/replace`, { version });
    const newKey = /role="textbox"[^>]*>\s*(LK-[0-9A-Z-]+)\s*<\/code/.exec(replaced.text)?.[1] ?? '';
    expect([replaced.status, replaced.headers['cache-control']]).to.deep.equal([200, 'no-store']);
    expect(replaced.text).to.include(`href="sketchpad:${newKey}"`);
    for (const page of ['', '/replace']) expect((await getPage(url + page)).text).to.not.include('sketchpad:');
    expect((await service().verify({ licenseKey: newKey })).body).to.include({ valid: true });
    expect((await service().verify({ licenseKey: key })).body).to.deep.equal({ valid: false });
    const again = await sendForm(`${url}/replace`, { version });
    expect(codeOf(again)).to.deep.equal([409, 'changed_meanwhile']);
    expect(again.text).to.not.include('LK-');
    expect(await historyOf()).to.deep.equal([
      'buyer license_rotated',
      'buyer cancellation_undone',
      'buyer cancellation_scheduled',
      ...(await historyOf()).slice(3),
    ]);
  });

  it('change nothing after somebody else has, unless it is so already', async () => {
    await grantWithKey(service(), aSubscription());
    const url = await linkTo();
    const version = versionIn(await getPage(`${url}/cancel`));
    await administrationIn(service()).runEntitlementCommand('ent_1', { kind: 'cancel' }, aCall());
    expect((await sendForm(`${url}/cancel`, { version })).status).to.equal(303);
    for (const change of ['resume', 'replace']) {
      for (const wrong of [version, '', '0', '-1', 'x', '9'.repeat(20)]) {
        const refused = await sendForm(`${url}/${change}`, { version: wrong });
        expect(codeOf(refused)).to.deep.equal([409, 'changed_meanwhile']);
        expect(textIn(refused.text)).to.include('Nothing was changed').and.not.include('LK-');
      }
    }
  });

  it('offer what the license allows', async () => {
    await grantWithKey(service(), aOneTimePurchase({ id: 'bought' }));
    await grantWithKey(service(), aSubscription({ id: 'over', hold: { kind: 'revoked', at: noon } }));
    await grantWithKey(service(), aSubscription({ id: 'leaked' }));
    await administrationIn(service()).revokeLicense('leaked', aCall());
    expect(await offered('bought')).to.deep.equal(['replace']);
    expect(await offered('over')).to.deep.equal([]);
    expect(await offered('leaked')).to.deep.equal(['cancel']);
    for (const [id, change] of [
      ['bought', 'cancel'],
      ['over', 'replace'],
      ['leaked', 'replace'],
    ] as const) {
      const before = await service().stored();
      expect((await sendForm(`${await linkTo(id)}/${change}`, { version: '1' })).status).to.equal(409);
      expect(await service().stored()).to.deep.equal(before);
    }
  });

  it('offer a receipt of a license only', async () => {
    await grantWithKey(service(), aSubscription({ id: 'leaked' }));
    await administrationIn(service()).revokeLicense('leaked', aCall());
    await service().grant(aSubscription({ id: 'keyless' }));
    await grantWithKey(service(), aSubscription());
    const offers = async (id: string): Promise<boolean> =>
      textIn((await getPage(await linkTo(id))).text).includes('a machine without a network');
    expect([await offers('leaked'), await offers('keyless'), await offers('ent_1')]).to.deep.equal([
      false,
      false,
      true,
    ]);
    expect(codeOf(await sendForm(`${await linkTo('keyless')}/receipt`, {}))).to.deep.equal([404, 'license_not_found']);
  });

  it('release devices and hand out receipts as a key does', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 1 }));
    const url = await linkTo();
    const body = JSON.stringify({ licenseKey, deviceId: 'device-0001', deviceName: 'iMac' });
    await service().send('/api/licenses/activate', { method: 'POST', headers: [json], body });
    const device = /name="device" value="(dev_[\w-]{22})"/.exec((await getPage(url)).text)?.[1] ?? '';
    const full = await sendForm(`${url}/receipt`, { deviceId: 'device-0002' });
    expect(codeOf(full)).to.deep.equal([409, 'device_limit']);
    const released = await sendForm(`${url}/release`, { device });
    expect(textIn(released.text)).to.include('Released').and.include('0 of 1 in use').and.include('Change it');
    const receipt = await sendForm(`${url}/receipt`, { deviceId: 'device-0002', as: 'file' });
    expect([receipt.status, receipt.text.split('.').length]).to.deep.equal([200, 3]);
  });

  for (const [how, endIt] of [
    ['by its time', async () => (service().now = later(hour))],
    ['with its app key', () => administrationIn(service()).revokeAppKey('key_1', aCall())],
    ['by DELETE', () => end('ent_1')],
    [
      'as the oldest of 21',
      async () => {
        for (const _ of range(20)) await linkTo();
      },
    ],
  ] as const) {
    it(`end ${how}, like those that never were`, async () => {
      await grantWithKey(service(), aSubscription());
      const url = await linkTo();
      service().now = later(1);
      const version = versionIn(await getPage(`${url}/cancel`));
      await endIt();
      const unknown = url.replace(/[\w-]{43}$/, 'A'.repeat(43));
      const [one, other] = [await getPage(url), await getPage(unknown)];
      expect(codeOf(one)).to.deep.equal([404, 'link_not_found']);
      expect(lastingParts(one)).to.deep.equal(lastingParts(other));
      expect(textIn(one.text)).to.include('This link has ended').and.include('Look up a key');
      for (const change of ['cancel', 'replace', 'release', 'receipt']) {
        expect(codeOf(await sendForm(`${url}/${change}`, { version }))).to.deep.equal([404, 'link_not_found']);
      }
      expect((await service().stored())[0]).to.include({ version: 1, cancellation: null });
    });
  }

  it('are refused above 30 a minute if they are unknown, which closes no other', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription());
    const url = await linkTo();
    for (const _ of range(40)) expect((await getPage(url)).status).to.equal(200);
    for (const _ of range(30)) expect((await getPage(`${url}x`)).status).to.equal(404);
    for (const path of ['x', 'x/cancel']) {
      expect(codeOf(await getPage(url + path))).to.deep.equal([429, 'rate_limited']);
    }
    const page = await getPage(`${url}/cancel`);
    expect(page.status).to.equal(200);
    expect((await sendForm(`${url}/cancel`, { version: versionIn(page) })).status).to.equal(303);
    expect((await getPage(url)).status).to.equal(200);
    expect((await sendForm(`${service().url}/license`, { licenseKey })).status).to.equal(200);
  });

  it('have the head of the buyers where their address is wrong, or not that of a page', async () => {
    await grantWithKey(service(), aSubscription());
    const url = await linkTo();
    const { origin } = new URL(url);
    for (const [path, status] of [
      [`${url}/foo`, 404],
      [`${url}/`, 404],
      [`${url}/release`, 405],
      [`${origin}/license/release`, 405],
      [`${origin}/license/links`, 404],
      [`${origin}/license/links/`, 404],
      [`${origin}/license/`, 404],
      [`${origin}/license//`, 404],
      [`${origin}/license/%zz`, 404],
      [`${origin}/License`, 404],
      [`${origin}/LICENSE/lost?from=mail`, 404],
      [url.replace('license/links', 'License/Links'), 404],
      [`${origin}/claim/?session_id=cs_1`, 404],
      [`${origin}/Claim`, 404],
      [`${origin}/license/no/such/page`, 404],
    ] as const) {
      const { status: got, headers, text } = await getPage(path);
      expect(got, path).to.equal(status);
      expect(headers['cache-control']).to.equal('no-store');
      expect(text)
        .to.match(/<a class="brand" href="\/license"/)
        .and.include('Look up another key')
        .and.not.include('/waitlist');
    }
    expect((await sendForm(`${origin}/license/no-such-page`, {})).status).to.equal(404);
    expect(JSON.stringify(service().logged)).to.not.include(tokenForm.exec(url)?.[1] ?? '?');
  });

  it('are in the log by their route alone', async () => {
    await grantWithKey(service(), aSubscription());
    const url = await linkTo();
    await getPage(url);
    await sendForm(`${url}/cancel`, { version: '1' });
    const log = JSON.stringify(service().logged);
    expect(log).to.include('"route":"/license/links/:token/cancel"').and.include('"by":"buyer"');
    expect(log).to.not.include(tokenForm.exec(url)?.[1] ?? '?');
  });

  it('are made for support, and stay when the operator’s key ends', async () => {
    await grantWithKey(service(), aSubscription());
    await service().addOperatorKey(operatorKeys.full);
    const headers = { Authorization: `Bearer ${operatorKeys.full}`, 'Content-Type': 'application/json' };
    const make = async (body: object): Promise<Response> =>
      fetch(`${service().adminUrl}/admin/entitlements/ent_1/links`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
    const made = await make({ expires: '24h' });
    const { data } = (await made.json()) as { readonly data: { readonly url: string; readonly expiresAt: string } };
    expect([made.status, made.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(data.expiresAt).to.equal(later(24 * hour).toISOString());
    expect((await make({ expires: '25h' })).status).to.equal(400);
    expect((await make({ returnUrl: 'https://shop.example' })).status).to.equal(400);
    await administrationIn(service()).revokeOperatorKey('opk_1', aCall());
    expect(textIn((await getPage(data.url)).text)).to.include('until 19 July 2026, 12:00 UTC.');
    expect(service().logged.filter(({ command }) => command === 'entitlement link')).to.have.lengthOf(1);
  });
});

describe('sixteen equal forms of a link at once', () => {
  const service = freshService(memory);

  it('make one change, and one key', async () => {
    await grantWithKey(service(), aSubscription());
    const path = '/api/app-entitlements/ent_1/links';
    const url = String(dataOf(await service().send(path, { method: 'POST', headers: [bearer()] }))['url']);
    const version = versionIn(await getPage(`${url}/cancel`));
    const canceled = await Promise.all(range(16).map(() => sendForm(`${url}/cancel`, { version })));
    expect(canceled.map(({ status }) => status)).to.deep.equal(range(16).map(() => 303));
    const next = versionIn(await getPage(`${url}/replace`));
    expect(Number(next)).to.equal(Number(version) + 1);
    const replaced = await Promise.all(range(16).map(() => sendForm(`${url}/replace`, { version: next })));
    expect(replaced.filter(({ text }) => text.includes('LK-'))).to.have.lengthOf(1);
    expect(replaced.filter((each) => codeOf(each)[1] === 'changed_meanwhile')).to.have.lengthOf(15);
    const events = await service().container.get(tokens.events).page('prod_1', 0, 100, aCall());
    expect(events.events.map(({ event }) => event.type)).to.deep.equal([
      'entitlement.cancellation_scheduled',
      'license.rotated',
    ]);
  });
});
