import { expect } from 'chai';
import { tokens } from '../../../../../app/service/tokens.ts';
import { aCall, aLicense, aSubscription, noon } from '../../../../support/builders.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { textIn } from '../../../../support/web/buyers.ts';
import { freshConsole, outcomeOf, type ConsoleClient } from '../../../../support/web/console-client.ts';
import { getPage, type ReceivedPage } from '../../../../support/web/page-client.ts';

const grant = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const path = '/console/entitlements';

/** The text in the read-only box of a page. */
function shownOn(text: string): string | null {
  return /<code[^>]*role="textbox"[^>]*>([^<]+)<\/code/.exec(text)?.[1]?.trim() ?? null;
}

async function isValid(client: ConsoleClient, licenseKey: string | null): Promise<unknown> {
  const { body } = await client.service.verify({ licenseKey });
  return (body as { readonly valid?: unknown }).valid;
}

async function addProduct(client: ConsoleClient): Promise<void> {
  await client.service.container.get(tokens.products).add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
}

describe('license keys on the console', () => {
  const client = freshConsole(memory);

  it('are shown once where an entitlement is granted, which a form does once', async () => {
    await addProduct(client());
    await client().signIn();
    const { text } = await client().get(`${path}/grant`);
    const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(id).to.match(/^ent_[0-9A-Za-z]{22}$/);
    const form = { ...grant, id, reference: 'sub_1', grace: '3d' };
    const granted = await client().submit(`${path}/grant`, form);
    expect(granted.status).to.equal(200);
    expect(await isValid(client(), shownOn(granted.text))).to.equal(true);
    const again = await client().submit(`${path}/grant`, form);
    expect([again.status, shownOn(again.text)]).to.deep.equal([200, null]);
    expect(again.text).to.include('It is not shown again.');
    const stored = await client().service.stored();
    expect(stored.map((entitlement) => [entitlement.id, entitlement.reference, entitlement.version])).to.deep.equal([
      [id, 'sub_1', 1],
    ]);
  });

  it('move from an entitlement that has ended to another, which a form does once', async () => {
    const ended = aSubscription({ id: 'sub_1', license: aLicense(), hold: { kind: 'revoked', at: noon } });
    await client().service.grant(ended);
    await client().service.grant(aSubscription({ id: 'sub_2' }));
    await client().signIn();
    const move = `${path}/sub_1/move-license`;
    expect((await client().get(move)).text).to.include('Move the license?');
    const wrong = await client().submit(move, { version: '1', to: 'none' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    expect(wrong.text).to.include('must be that of an entitlement of the same product');
    for (let times = 0; times < 2; times += 1) {
      const moved = await client().submit(move, { version: '1', to: 'sub_2' });
      expect(outcomeOf(moved)).to.deep.equal([303, `${path}/sub_1?done=move-license`]);
    }
    expect((await client().get(`${path}/sub_1?done=move-license`)).text)
      .to.include('<strong>The license was moved.</strong>')
      .and.include('License moved')
      .and.not.include('/move-license"');
    const stored = await client().service.stored();
    expect(stored.find(({ id }) => id === 'sub_2')?.license).to.deep.equal(ended.license);
    expect(outcomeOf(await client().get(`${path}/sub_2/move-license`))[0]).to.equal(409);
  });

  it('are shown once where a license is rotated, which a form does once', async () => {
    await client().service.grant(aSubscription({ license: aLicense(), sequence: 1 }));
    await client().signIn();
    expect((await client().get(`${path}/ent_1/rotate-license`)).text).to.include('Replace the key?');
    const rotated = await client().submit(`${path}/ent_1/rotate-license`, { version: '1' });
    const key = shownOn(rotated.text);
    expect([rotated.status, await isValid(client(), key)]).to.deep.equal([200, true]);
    const again = await client().submit(`${path}/ent_1/rotate-license`, { version: '1' });
    expect([again.status, shownOn(again.text)]).to.deep.equal([200, null]);
    expect(await isValid(client(), key)).to.equal(true);
    expect(again.text).to.include('It is not shown again.');
  });
});

describe('a grant on the console', () => {
  const client = freshConsole(memory);

  beforeEach(async () => {
    await addProduct(client());
    await client().service.grant(aSubscription({ reference: 'sub_1', license: aLicense() }));
    await client().signIn();
  });

  it('takes a number of intervals, also in a change of the tier, and shows it in words', async () => {
    const termsOf = async (id: string): Promise<readonly unknown[]> => {
      const stored = (await client().service.stored()).find((entitlement) => entitlement.id === id);
      return stored?.kind === 'subscription' ? [stored.billingInterval, stored.billingIntervalCount] : [];
    };
    const granted = await client().submit(`${path}/grant`, { ...grant, id: 'ent_2', billingIntervalCount: '3' });
    expect(granted.text).to.include('every 3 months');
    expect(await termsOf('ent_2')).to.deep.equal(['month', 3]);
    const tier = { tierId: 'pro', tierName: 'Pro', billingInterval: 'month', billingIntervalCount: '3' };
    expect((await client().get(`${path}/ent_1`)).text).to.include('monthly');
    await client().submit(`${path}/ent_1/change-tier`, { version: '1', ...tier });
    expect(await termsOf('ent_1')).to.deep.equal(['month', 3]);
    for (const page of [path, `${path}/ent_1`, `${path}/ent_1/change-tier`, `${path}/ent_2`]) {
      expect((await client().get(page)).text, page).to.include('every 3 months');
    }
    expect((await client().get(`${path}/ent_1`)).text).to.include('Billing changed from monthly to every 3 months');
    const wrong = await client().submit(`${path}/ent_1/change-tier`, {
      ...tier,
      version: '2',
      billingIntervalCount: '0',
    });
    expect(wrong.text).to.include('Intervals in a period must be');
  });

  it('takes everything that a grant can have', async () => {
    const form = {
      ...grant,
      id: 'ent_2',
      status: 'trialing',
      currentPeriodStart: '2026-07-01T10:00',
      currentPeriodEnd: '2026-10-01T10:00:30',
      grace: '2h',
      licenseKey: 'a-key-that-was-sold-elsewhere',
      deviceLimit: '3',
    };
    const { status, text } = await client().submit(`${path}/grant`, form);
    expect([status, shownOn(text)]).to.deep.equal([200, form.licenseKey]);
    const stored = (await client().service.stored()).find(({ id }) => id === 'ent_2');
    expect(stored).to.deep.include({
      standing: 'trialing',
      currentPeriodStart: new Date('2026-07-01T10:00:00Z'),
      currentPeriodEnd: new Date('2026-10-01T10:00:30Z'),
      graceUntil: new Date('2026-10-01T12:00:30Z'),
      deviceLimit: 3,
    });
  });

  it('grants a purchase with an end, and says until when there are updates', async () => {
    const terms = { billingInterval: 'one_time', accessEndsAt: '2027-07-01T10:00', updatesUntil: '2027-01-01T00:00' };
    expect((await client().submit(`${path}/grant`, { ...grant, ...terms, id: 'ent_2' })).status).to.equal(200);
    const stored = (await client().service.stored()).find(({ id }) => id === 'ent_2');
    expect(stored).to.deep.include({
      kind: 'one_time',
      accessEndsAt: new Date('2027-07-01T10:00:00Z'),
      updatesUntil: new Date('2027-01-01T00:00:00Z'),
    });
    const page = (await client().get(`${path}/ent_2`)).text;
    expect(page).to.include('Access ends on').and.include('Updates until').and.include('1 January 2027');
  });

  it('shows the form again, with what was typed, where something is wrong', async () => {
    for (const [members, message] of [
      [{ tierId: '' }, 'Tier id is missing.'],
      [{ billingInterval: 'hour' }, 'Billing must be one of'],
      [{ productId: 'prod_9' }, 'Product must be that of a product that exists.'],
      [{ reference: 'sub_1' }, 'Reference is that of another entitlement of the product.'],
      [{ licenseKey: 'short' }, 'License key must have'],
      [{ currentPeriodEnd: '2026-01-01T00:00' }, 'End of the period must be later'],
      [{ billingInterval: 'one_time', grace: '1d' }, 'Grace does not apply to a one-time purchase'],
      [
        { billingInterval: 'one_time', billingIntervalCount: '3' },
        'Intervals in a period does not apply to a one-time purchase',
      ],
      [
        { billingInterval: 'one_time', currentPeriodEnd: '2027-01-01', accessEndsAt: '2027-01-02' },
        'End of the period must be left out of a purchase with an end of its access',
      ],
      [{ accessEndsAt: '2027-01-02' }, 'End of a one-time purchase does not apply to a subscription'],
    ] as const) {
      const form = { ...grant, id: 'ent_2', tierName: 'Ada & Co', ...members };
      const page = await client().submit(`${path}/grant`, form);
      expect(outcomeOf(page), message).to.deep.equal([400, 'invalid_body']);
      expect(page.text).to.include(message).and.include('value="ent_2"').and.include('value="Ada &amp; Co"');
      expect(page.text).not.to.include('value="short"');
    }
    expect((await client().service.stored()).length).to.equal(1);
  });

  it('refuses an id that another entitlement has, and one that is none', async () => {
    const taken = await client().submit(`${path}/grant`, { ...grant, tierName: 'Other', id: 'ent_1' });
    expect(outcomeOf(taken)).to.deep.equal([409, 'entitlement_exists']);
    expect(taken.text).to.include('Nothing was changed.');
    const none = await client().submit(`${path}/grant`, { ...grant, id: '..' });
    expect(outcomeOf(none)).to.deep.equal([400, 'invalid_parameter']);
  });
});

describe('an offline receipt on the console', () => {
  const client = freshConsole(memory);

  it('stands in a box to be copied, with its end', async () => {
    await client().service.grant(aSubscription({ license: aLicense(), sequence: 1 }));
    await client().signIn();
    expect((await client().get(`${path}/ent_1/receipt`)).text).to.include('Issue an offline receipt?');
    const { status, text } = await client().submit(`${path}/ent_1/receipt`, { version: '1', expires: '2d' });
    expect(status).to.equal(200);
    expect(shownOn(text)).to.match(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(text).to.include('20 July 2026, 12:00 UTC, in 2 days');
    const none = await client().submit(`${path}/ent_1/receipt`, { version: '1', expires: '0s' });
    expect(outcomeOf(none)).to.deep.equal([400, 'invalid_body']);
    expect(none.text).to.include(
      'Holds for at most must be a whole number with s, m, h or d, such as 30d, of at least 1s',
    );
  });
});

describe('a link for the buyer on the console', () => {
  const client = freshConsole(memory);

  const make = (fields: Readonly<Record<string, string>> = {}): Promise<ReceivedPage> =>
    client().submit(`${path}/ent_1/link`, { version: '1', ...fields });

  it('opens the page of the license, is shown once, and ends when it says', async () => {
    await client().service.grant(aSubscription({ license: aLicense(), sequence: 1 }));
    await client().signIn();
    const entitlement = await client().get(`${path}/ent_1`);
    expect(entitlement.text).to.match(/href="[^"]*\/ent_1\/link"/);
    expect((await client().get(`${path}/ent_1/link`)).text).to.include('Make a link for the buyer?');
    const made = await make({ expires: '24h' });
    expect([made.status, made.headers['cache-control']]).to.deep.equal([200, 'no-store']);
    expect(made.text).to.include('19 July 2026, 12:00 UTC, in 1 day');
    const url = shownOn(made.text) ?? '';
    expect(url).to.match(new RegExp(`^${client().service.url}/license/links/[\\w-]{43}$`));
    expect(textIn((await getPage(url)).text))
      .to.include('Change it')
      .and.include('until 19 July 2026, 12:00 UTC.');
    expect((await client().get(`${path}/ent_1`)).text).to.not.include('/license/links/');
    const again = await make();
    expect(again.text).to.include('18 July 2026, 13:00 UTC, in 1 hour');
    expect(shownOn(again.text)).to.not.equal(url);
    expect((await getPage(url)).status).to.equal(200);
    const changes = client().service.logged.filter(({ command }) => command === 'entitlement link');
    expect(changes.map(({ by, entitlementId }) => [by, entitlementId])).to.deep.equal([
      ['operator:opk_1', 'ent_1'],
      ['operator:opk_1', 'ent_1'],
    ]);
    expect(JSON.stringify(client().service.logged)).to.not.include(url.slice(-43));
    expect((await client().service.stored())[0]).to.include({ version: 1 });
  });

  it('is made for an entitlement that has ended, too, as by the command', async () => {
    await client().service.grant(aSubscription({ hold: { kind: 'revoked', at: noon } }));
    await client().signIn();
    const { text } = await getPage(shownOn((await make()).text) ?? '');
    expect(text).to.include('because it was taken back').and.not.include('Change it');
  });
});
