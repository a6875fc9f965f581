import { expect } from 'chai';
import type { VendorName } from '../../../../adapters/cli/moving/record/vendor-names.ts';
import { TestCommandLine, type Run } from '../../../support/cli/command-line.ts';
import { goldenFiles } from '../../../support/cli/vendor-exports.ts';

const club = { productId: 'prod_1', tierId: 'club', tierName: 'Club' };
const [start, end] = [Date.UTC(2098, 6) / 1000, Date.UTC(2098, 9) / 1000];

describe('entitlement import --from, of what webhooks deliver', () => {
  describe('by Stripe', () => {
    const states = { active: 1_780_000_000, past_due: 1_780_000_001, canceled: 1_780_000_002 } as const;
    const [active, pastDue, canceled] = (['active', 'past_due', 'canceled'] as const).map((status) =>
      stripeEvent(subscription(status), states[status]),
    ) as [object, object, object];

    it('imports the latest state of each subscription, in whichever order it came', async () => {
      for (const events of [
        [active, pastDue, canceled],
        [canceled, active, pastDue],
        [pastDue, canceled, canceled, active],
      ]) {
        const [line, ...others] = await linesOf('stripe', { price_1: club }, ...events);
        expect([line?.['id'], line?.['grace'], others]).to.deep.equal(['stripe_sub_1', '0s', []]);
      }
    });

    it('imports the last of several that say the same second, or none', async () => {
      for (const at of [states.active, undefined]) {
        const same = [subscription('active'), subscription('past_due')].map((each) => stripeEvent(each, at));
        expect((await linesOf('stripe', { price_1: club }, ...same))[0]).to.include({ status: 'past_due' });
      }
    });

    it('imports the payment of a second with the creation, and the end with a change, as the API lists them', async () => {
      const [created, updated, deleted] = [
        ['created', 'incomplete'],
        ['updated', 'active'],
        ['deleted', 'canceled'],
      ].map(([type, status = '']) => {
        const event = stripeEvent(subscription(status), states.active);
        return { ...event, type: `customer.subscription.${type}` };
      });
      for (const data of [
        [updated, created],
        [created, updated],
      ]) {
        const [line] = await linesOf('stripe', { price_1: club }, { object: 'list', data, has_more: false });
        expect(line).to.include({ id: 'stripe_sub_1', status: 'active' });
      }
      for (const data of [
        [deleted, updated, created],
        [created, updated, deleted],
      ]) {
        const [line] = await linesOf('stripe', { price_1: club }, { object: 'list', data, has_more: false });
        expect(line?.['grace']).to.equal('0s');
      }
    });

    it('imports what an export says in place of what was delivered', async () => {
      for (const records of [
        [subscription('past_due'), canceled],
        [canceled, subscription('past_due')],
      ]) {
        expect((await linesOf('stripe', { price_1: club }, ...records))[0]).to.include({ status: 'past_due' });
      }
    });

    it('reads pages of events, and leaves out those of other objects', async () => {
      const invoice = stripeEvent({ object: 'invoice', id: 'in_1' }, states.active);
      const page = { object: 'list', data: [invoice, active], has_more: false };
      const { exitCode, stdout, stderr } = await printed('stripe', { price_1: club }, page);
      expect([exitCode, stdout.trimEnd().split('\n').length]).to.deep.equal([0, 1]);
      expect(stderr).to.equal('Left out: 1 of another kind.\n');
    });
  });

  describe('by Creem', () => {
    const license = { id: 'lk_1', object: 'license', status: 'active', key: 'QRS009-XYZ456-XYZ456-XYZ456' };
    const checkout = {
      id: 'ch_7',
      object: 'checkout',
      order: { id: 'ord_7', object: 'order' },
      customer: { id: 'cust_1', email: 'ada@one.example', name: 'Ada' },
      feature: [
        { type: 'licenseKey', license_key: { ...license, product_id: 'prod_C', expires_at: null } },
        { type: 'file', file: {} },
      ],
    };
    const expected = {
      id: 'creem_lk_1',
      ...club,
      status: 'active',
      billingInterval: 'one_time',
      reference: 'ord_7',
      licenseKey: license.key,
    };

    it('imports the licenses of a checkout once, with their order, and counts what is dropped', async () => {
      const license_keys = [{ ...license, product_id: 'prod_C' }];
      for (const object of [
        checkout,
        { ...checkout, license_keys },
        { ...checkout, feature: undefined, license_keys },
      ]) {
        for (const record of [object, creemWebhook('checkout.completed', object)]) {
          const { stdout, stderr } = await printed('creem', { prod_C: club }, record);
          expect([JSON.parse(stdout), stderr]).to.deep.equal([expected, 'Dropped 1 e-mail address and 1 name.\n']);
        }
      }
    });

    it('leaves out what has no license', async () => {
      const refund = creemWebhook('refund.created', { id: 'ref_1', object: 'refund' });
      const { exitCode, stdout, stderr } = await printed('creem', {}, [refund, { ...checkout, feature: [] }]);
      expect([exitCode, stdout, stderr.split('\n')[1]]).to.deep.equal([0, '', 'Left out: 2 of another kind.']);
    });

    it('imports the latest state of a license', async () => {
      const object = { ...checkout, license_keys: [{ ...license, product_id: 'prod_C', status: 'disabled' }] };
      const later = creemWebhook('checkout.completed', { ...object, feature: [] }, 1_780_000_000_001);
      const lines = await linesOf('creem', { prod_C: club }, later, creemWebhook('checkout.completed', checkout));
      expect(lines.map(({ status }) => status)).to.deep.equal(['revoked']);
    });
  });

  describe('by Lemon Squeezy', () => {
    const ids = { order_id: 7, order_item_id: 8, product_id: 17, variant_id: 71 };
    const key = '48b1460a-5104-4067-a91d-77b872934d51';
    const delivery = (type: string, updated_at: string, attributes: object): object => ({
      meta: { event_name: `${type}_updated` },
      data: { type, id: '1', attributes: { ...ids, updated_at, ...attributes } },
    });

    it('imports the latest state of a key and of its subscription', async () => {
      const deliveries = [
        delivery('license-keys', '2026-07-02T00:00:00.000000Z', { key, status: 'active' }),
        delivery('license-keys', '2026-07-01T00:00:00.000000Z', { key, status: 'disabled' }),
        delivery('subscriptions', '2026-07-02T00:00:00.000000Z', { status: 'past_due', renews_at: '2098-07-02' }),
        delivery('subscriptions', '2026-07-01T00:00:00.000000Z', { status: 'active', renews_at: '2098-07-01' }),
        delivery('orders', '2026-07-03T00:00:00.000000Z', {}),
      ];
      const monthly = { 71: { ...club, billingInterval: 'month' } };
      const [line, ...others] = await linesOf('lemonsqueezy', monthly, ...deliveries);
      // The next attempt at the payment is no end of a period: it was due before the export was made.
      const due = { currentPeriodEnd: '2026-07-18T12:00:00.000Z', grace: '14d' };
      expect(line).to.include({ id: 'ls_1', status: 'past_due', ...due });
      expect(others).to.deep.equal([]);
    });

    it('does not give a key the subscription of another item of its order', async () => {
      const records = [
        { type: 'license-keys', id: '1', attributes: { ...ids, key, status: 'active', order_item_id: 9 } },
        { type: 'subscriptions', id: '2', attributes: { ...ids, status: 'expired', ends_at: '2026-01-01' } },
      ];
      expect((await linesOf('lemonsqueezy', { 17: club }, records))[0]).to.include({ billingInterval: 'one_time' });
    });
  });

  describe('by Keygen', () => {
    it('imports the latest state of a license, and not one that was deleted', async () => {
      const events = [
        keygenEvent('license.suspended', '2026-07-02T00:00:00.000Z', 'SUSPENDED'),
        keygenEvent('license.created', '2026-07-01T00:00:00.000Z', 'ACTIVE'),
      ];
      expect((await linesOf('keygen', { pol: club }, ...events))[0]).to.include({ status: 'suspended' });
      const deleted = keygenEvent('license.deleted', '2026-07-03T00:00:00.000Z', 'ACTIVE');
      const { exitCode, stdout, stderr } = await printed('keygen', { pol: club }, [deleted, ...events]);
      expect([exitCode, stdout, stderr]).to.deep.equal([0, '', 'Left out: 1 deleted, 2 repeated.\n']);
    });

    it('leaves out an event without a license', async () => {
      const broken = { type: 'webhook-events', id: 'e', attributes: { event: 'license.created', payload: '{' } };
      expect((await printed('keygen', {}, broken)).stderr).to.equal('Left out: 1 of another kind.\n');
    });
  });

  it('refuses deliveries of vendors whose webhooks have no license keys', async () => {
    const grant = { type: 'benefit_grant.created', data: { id: 'g', benefit_id: 'ben', properties: {} } };
    const { exitCode, stderr } = await printed('polar', { ben: club }, grant);
    expect([exitCode, stderr]).to.deep.equal([
      2,
      'The file is not from Polar: it must be JSON pages of its license keys.\n',
    ]);
  });
});

describe('a license of Keygen that is mapped to one_time', () => {
  const forever = { pol: { ...club, billingInterval: 'one_time' } };

  it('does not end with its expiry, because its policy may maintain access', async () => {
    for (const [status, expiry] of [
      ['EXPIRED', '2025-03-01T00:00:00.000Z'],
      ['ACTIVE', '2098-03-01T00:00:00.000Z'],
    ]) {
      const [line] = await linesOf('keygen', forever, keygenLicense({ status, expiry }));
      expect(line).to.include({ billingInterval: 'one_time', status: 'active' });
    }
  });

  it('stays suspended or revoked', async () => {
    const expiry = '2025-03-01T00:00:00.000Z';
    const suspended = await linesOf('keygen', forever, keygenLicense({ status: 'EXPIRED', expiry, suspended: true }));
    const banned = await linesOf('keygen', forever, keygenLicense({ status: 'BANNED', expiry }));
    expect([suspended[0]?.['status'], banned[0]?.['status']]).to.deep.equal(['suspended', 'revoked']);
  });

  it('ends with its expiry otherwise, as licenses of other vendors do', async () => {
    const license = keygenLicense({ status: 'EXPIRED', expiry: '2025-03-01T00:00:00.000Z' });
    expect((await linesOf('keygen', { pol: club }, license))[0]).to.include({ billingInterval: 'year' });
    const key = {
      id: 'lk',
      object: 'license',
      key: 'QRS009-XYZ456-XYZ456-XYZ456',
      status: 'expired',
      expires_at: '2025-03-01',
    };
    expect((await linesOf('creem', { license: forever.pol }, key))[0]).to.include({ billingInterval: 'year' });
  });
});

function subscription(status: string): object {
  const recurring = { interval: 'month', interval_count: 3 };
  const item = { current_period_start: start, current_period_end: end, price: { id: 'price_1', recurring } };
  const ended_at = status === 'canceled' ? start + 1 : null;
  return { object: 'subscription', id: 'sub_1', status, ended_at, items: { object: 'list', data: [item] } };
}

function stripeEvent(object: object, created: number | undefined): object {
  return { id: `evt_${created}`, object: 'event', created, data: { object, previous_attributes: {} } };
}

function creemWebhook(eventType: string, object: object, created_at = 1_780_000_000_000): object {
  return { id: `evt_${eventType}`, eventType, created_at, object };
}

function keygenEvent(name: string, created: string, status: string): object {
  const payload = JSON.stringify({ data: keygenLicense({ status }) });
  return { data: { type: 'webhook-events', id: name, attributes: { event: name, created, payload } } };
}

function keygenLicense(attributes: object): object {
  const key = 'DE7AE9-FDAA09-D94CF9-63EB9F-3E2D59-V3';
  const policy = { data: { id: 'pol' } };
  return { type: 'licenses', id: 'l', attributes: { key, status: 'ACTIVE', ...attributes }, relationships: { policy } };
}

function printed(vendor: VendorName, map: object, record: object): Promise<Run> {
  const words = ['entitlement', 'import', '--from', vendor, '--products', 'map', 'given', '--print'];
  const given = JSON.stringify(record);
  return new TestCommandLine().run(words, '', goldenFiles({ map: JSON.stringify(map), given }));
}

/** The lines of records in a file, one behind the other. */
async function linesOf(
  vendor: VendorName,
  map: object,
  ...records: readonly object[]
): Promise<readonly Record<string, unknown>[]> {
  const words = ['entitlement', 'import', '--from', vendor, '--products', 'map', 'given', '--print'];
  const given = records.map((record) => JSON.stringify(record)).join('\n');
  const files = goldenFiles({ map: JSON.stringify(map), given });
  const { exitCode, stdout, stderr } = await new TestCommandLine().run(words, '', files);
  expect(exitCode, stderr).to.equal(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
