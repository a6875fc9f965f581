import { expect } from 'chai';
import type { VendorName } from '../../../../adapters/cli/moving/record/vendor-names.ts';
import { noon } from '../../../support/builders.ts';
import { TestCommandLine, type Run } from '../../../support/cli/command-line.ts';
import { goldenFiles } from '../../../support/cli/vendor-exports.ts';

const club = { productId: 'prod_1', tierId: 'club', tierName: 'Club' };
const [start, end] = [Date.UTC(2098, 6) / 1000, Date.UTC(2098, 9) / 1000];

describe('entitlement import --from, of odd records', () => {
  describe('a subscription of Stripe', () => {
    const map = { price_1: club };

    it('has the period and the interval of the item that the map has', async () => {
      const later = { current_period_start: start, current_period_end: Date.UTC(2099, 6) / 1000 };
      const items = [item('price_2'), item('price_1', 'year', 1, later)];
      expect(await lineOf('stripe', map, subscription({ items }))).to.deep.include({
        billingInterval: 'year',
        currentPeriodEnd: '2099-07-01T00:00:00.000Z',
      });
    });

    it('is imported for another item if the map leaves one out', async () => {
      const items = [item('price_2'), item('price_1')];
      expect(await lineOf('stripe', { ...map, price_2: null }, subscription({ items }))).to.include({ tierId: 'club' });
    });

    it('is listed by its first unmapped item, if the map has a tier for none', async () => {
      const items = [item('price_3'), item('price_2'), item('price_4')];
      const { exitCode, stderr } = await printed('stripe', { price_3: null }, subscription({ items }));
      expect([exitCode, stderr.trimEnd().split('\n').slice(1)]).to.deep.equal([1, ['"price_2": 1 record']]);
    });

    it('keeps access while its payments are not collected, and is suspended while it is paused', async () => {
      for (const behavior of ['void', 'keep_as_draft', 'mark_uncollectible']) {
        const collection = { pause_collection: { behavior, resumes_at: null } };
        expect(await lineOf('stripe', map, subscription(collection))).to.include({ status: 'active' });
        const old = subscription({ ...collection, ...unpaidFor(400) });
        expect(await lineOf('stripe', map, old)).to.include({ status: 'past_due' });
        const paused = subscription({ ...collection, status: 'paused' });
        expect(await lineOf('stripe', map, paused)).to.include({ status: 'suspended' });
      }
    });

    it('is suspended once a payment is missing for three weeks', async () => {
      expect(await lineOf('stripe', map, subscription(unpaidFor(21)))).to.include({ status: 'suspended' });
      expect(await lineOf('stripe', map, subscription(unpaidFor(20)))).to.include({ status: 'past_due' });
      const sent = { collection_method: 'send_invoice', days_until_due: 30 };
      expect(await lineOf('stripe', map, subscription({ ...sent, ...unpaidFor(50) }))).to.include({
        status: 'past_due',
      });
      expect(await lineOf('stripe', map, subscription({ ...sent, ...unpaidFor(51) }))).to.include({
        status: 'suspended',
      });
    });

    it('has no period that is not paid: access lasts three weeks from the day on which it was due', async () => {
      const line = await lineOf('stripe', map, subscription(unpaidFor(20)));
      expect(line).to.include({ currentPeriodEnd: daysAgo(20), grace: '21d' });
      const sent = { collection_method: 'send_invoice', days_until_due: 30 };
      expect(await lineOf('stripe', map, subscription({ ...sent, ...unpaidFor(50) }))).to.include({
        currentPeriodEnd: daysAgo(50),
        grace: '51d',
      });
    });

    it('has the nearest number of months for more intervals than an entitlement counts', async () => {
      for (const [unit, count, months] of [
        ['day', 365, 12],
        ['week', 156, 36],
      ] as const) {
        const line = await lineOf('stripe', map, subscription({ items: [item('price_1', unit, count)] }));
        expect(line).to.include({ billingInterval: 'month', billingIntervalCount: months });
      }
      const line = await lineOf('stripe', map, csvOf('day', '2098-07-01 00:00', '2099-07-01 00:00'));
      expect(line).to.include({ billingInterval: 'month', billingIntervalCount: 12 });
    });

    it('has the count of the map if the export has none', async () => {
      const half = { price_1: { ...club, billingIntervalCount: 6 } };
      const line = await lineOf('stripe', half, csvOf('month', '2098-07-01 00:00', '2098-07-20 00:00'));
      expect(line).to.include({ billingInterval: 'month', billingIntervalCount: 6 });
    });

    it('is refused for a count that is no whole number from 1', async () => {
      for (const count of [0, -1, 1.5, 'x', 1e21]) {
        const { stderr } = await printed('stripe', map, subscription({ items: [item('price_1', 'month', count)] }));
        expect(stderr, `${count}`).to.equal(
          'The file, line 1: stripe_sub_1: The count of intervals must be a whole number, 1 or more.\n1 record cannot be rewritten.\n',
        );
      }
    });

    it('can be mapped if it names no price', async () => {
      const nameless = subscription({ items: [{ ...item('x'), price: { recurring: { interval: 'month' } } }] });
      const { stderr } = await printed('stripe', {}, nameless);
      expect(stderr).to.include('"no price": 1 record');
      expect(await lineOf('stripe', { 'no price': club }, nameless)).to.include({ tierId: 'club' });
    });
  });

  describe('a limit of activations', () => {
    for (const [given, deviceLimit] of [
      [3, 3],
      ['12', 12],
      [10_000, 10_000],
      [10_001, undefined],
      [0, undefined],
      ['', undefined],
      [null, undefined],
      [undefined, undefined],
    ] as const) {
      it(`of ${JSON.stringify(given)} becomes the limit ${deviceLimit}`, async () => {
        const line = await lineOf('keygen', { pol: club }, license({ maxMachines: given }));
        expect(line['deviceLimit']).to.equal(deviceLimit);
      });
    }

    it('that is no whole number is refused', async () => {
      for (const given of [-1, 1.5, 'many', true, [3]]) {
        const { exitCode, stdout, stderr } = await printed('keygen', { pol: club }, license({ maxMachines: given }));
        expect([exitCode, stdout], JSON.stringify(given)).to.deep.equal([1, '']);
        expect(stderr).to.include('attributes.maxMachines must be a whole number.');
      }
    });

    it('counts less than that of the map, which vendors without one need', async () => {
      const limited = license({ maxMachines: 3 });
      for (const [given, deviceLimit] of [
        [5, 5],
        ['unlimited', undefined],
      ] as const) {
        const line = await lineOf('keygen', { pol: { ...club, deviceLimit: given } }, limited);
        expect(line['deviceLimit']).to.equal(deviceLimit);
      }
      const line = await lineOf(
        'stripe',
        { price_1: { ...club, deviceLimit: 2 } },
        subscription({ items: [item('price_1')] }),
      );
      expect(line).to.include({ deviceLimit: 2 });
      for (const wrong of [0, 10_001, '3', 'none']) {
        const { exitCode, stderr } = await printed('keygen', { pol: { ...club, deviceLimit: wrong } }, limited);
        expect([exitCode, stderr.includes('deviceLimit')], JSON.stringify(wrong)).to.deep.equal([2, true]);
      }
    });
  });

  it('counts a subscription of Lemon Squeezy whose order has no license key', async () => {
    const attributes = { status: 'active', order_id: 7, renews_at: '2098-07-01T00:00:00Z' };
    const { exitCode, stderr } = await printed('lemonsqueezy', {}, { type: 'subscriptions', id: '1', attributes });
    expect([exitCode, stderr]).to.deep.equal([0, 'Left out: 1 without a license key.\n']);
  });

  it('refuses a subscription of Lemon Squeezy with access and without an end, which would be one for good', async () => {
    const ids = { order_id: 7, order_item_id: 8, product_id: 17, variant_id: 71, renews_at: null };
    for (const status of ['active', 'on_trial', 'past_due', 'cancelled']) {
      const record = { type: 'subscriptions', id: '1', attributes: { ...ids, status } };
      const { exitCode, stderr } = await printed('lemonsqueezy', { 17: club }, record);
      expect([exitCode, stderr.split('\n')[0]], status).to.deep.equal([
        1,
        `The file, line 1: ls_1: attributes.${status === 'cancelled' ? 'ends_at' : 'renews_at'} is missing.`,
      ]);
    }
  });

  const testSales: readonly (readonly [VendorName, object])[] = [
    ['lemonsqueezy', { type: 'license-keys', id: '1', attributes: { order_id: 7, product_id: 17, test_mode: true } }],
    ['lemonsqueezy', { type: 'subscriptions', id: '1', attributes: { order_id: 7, test_mode: 1 } }],
    [
      'lemonsqueezy',
      {
        meta: { event_name: 'license_key_created', test_mode: true },
        data: { type: 'license-keys', id: '1', attributes: { order_id: 7, test_mode: true } },
      },
    ],
    ['creem', { object: 'license', id: 'lk', key: 'QRS009-XYZ456-XYZ456-XYZ456', mode: 'test' }],
    ['creem', { object: 'license', id: 'lk', key: 'QRS009-XYZ456-XYZ456-XYZ456', mode: 'sandbox' }],
    [
      'creem',
      {
        object: 'checkout',
        mode: 'test',
        license_keys: [{ object: 'license', id: 'lk', key: 'QRS009-XYZ456-XYZ456-XYZ456' }],
      },
    ],
    ['stripe', subscription({ livemode: false })],
    ['stripe', { object: 'event', livemode: false, data: { object: subscription({ livemode: false }) } }],
  ];

  for (const [vendor, record] of testSales) {
    it(`leaves out a sale of the test mode: ${vendor} ${JSON.stringify(record).slice(0, 60)}`, async () => {
      const { exitCode, stdout, stderr } = await printed(vendor, {}, record);
      expect([exitCode, stdout, stderr]).to.deep.equal([0, '', 'Left out: 1 of the test mode.\n']);
    });
  }

  it('refuses a key of Lemon Squeezy together with its subscription that cannot be read', async () => {
    const ids = { order_id: 7, order_item_id: 8, product_id: 17 };
    const key = { ...ids, key: '38b1460a-5104-4067-a91d-77b872934d51', status: 'active' };
    const records = [
      { type: 'license-keys', id: '1', attributes: key },
      { type: 'subscriptions', id: '2', attributes: { ...ids, status: 'frozen' } },
    ];
    const { exitCode, stdout, stderr } = await printed('lemonsqueezy', { 17: club }, records);
    expect([exitCode, stdout, stderr.split('\n')]).to.deep.equal([
      1,
      '',
      [
        'The file, line 1: ls_1: The subscription of this key cannot be read.',
        'The file, line 1: ls_2: attributes.status must be one of on_trial, active, paused, past_due, unpaid, cancelled, expired.',
        '2 records cannot be rewritten.',
        '',
      ],
    ]);
  });

  it('refuses a sale at Gumroad together with its renewal that cannot be read', async () => {
    const columns =
      'Item Name,Product ID,Variants,Recurrence,Subscription End Date,Disputed?,Dispute Won?,Access Revoked?';
    const own = 'Purchase ID,Purchase Date,Recurring Charge?,Fully Refunded?,License Key,License Key Enabled?';
    const key = 'A0001EEF-B1019919-C213D4FD-D3EC4BA7';
    const sale = `a,2026-01-31,0,0,${key},1,Club,club,,monthly,,0,0,0`;
    const renewal = `b,31/02/2026,1,1,${key},1,Club,club,,monthly,,0,0,0`;
    const totals = `Totals${','.repeat(13)}`;
    const text = [`${own},${columns}`, sale, renewal, totals].join('\n');
    const { exitCode, stdout, stderr } = await printed('gumroad', { club }, text);
    expect([exitCode, stdout, stderr.split('\n')]).to.deep.equal([
      1,
      '',
      [
        'The file, line 2: Another sale with this key cannot be read.',
        'The file, line 3: Purchase Date must be an instant.',
        '2 records cannot be rewritten.',
        '',
      ],
    ]);
  });

  describe('a subscription of Gumroad', () => {
    const key = 'A0001EEF-B1019919-C213D4FD-D3EC4BA7';

    /** The status that follows from charges, each with what happened to it: "refunded", "disputed won", "ended"… */
    async function statusAfter(...charges: readonly string[]): Promise<unknown> {
      const rows = charges.map((charge, position) => {
        const has = (word: string): number => Number(charge.split(' ').includes(word));
        const endDate = has('ended') === 1 ? '2026-05-20' : '';
        const enabled = 1 - has('disabled');
        const cells = [
          `c${position}`,
          `2026-0${8 - charges.length + position}-11`,
          Number(position > 0),
          has('refunded'),
          key,
          enabled,
        ];
        return [...cells, 'Club', 'club', '', 'monthly', endDate, has('disputed'), has('won'), has('taken')].join(',');
      });
      const columns =
        'Purchase ID,Purchase Date,Recurring Charge?,Fully Refunded?,License Key,License Key Enabled?,Item Name,Product ID,Variants,Recurrence,Subscription End Date,Disputed?,Dispute Won?,Access Revoked?';
      const text = [columns, ...rows.toReversed(), `Totals${','.repeat(13)}`].join('\n');
      return (await lineOf('gumroad', { club }, text))['status'];
    }

    it('goes on after one of its charges was refunded', async () => {
      expect(await statusAfter('paid', 'paid', 'refunded')).to.equal('active');
      expect(await statusAfter('refunded', 'paid')).to.equal('active');
      expect(await statusAfter('paid', 'refunded', 'refunded')).to.equal('active');
      expect(await statusAfter('paid', 'disputed won')).to.equal('active');
      expect(await statusAfter('disputed', 'paid')).to.equal('active');
      expect(await statusAfter('paid', 'refunded ended')).to.equal('active');
    });

    /** The line of a subscription with one charge, and what is written to standard error. */
    async function lineAfter(columns: object): Promise<readonly [line: Record<string, unknown>, stderr: string]> {
      const row = {
        'Purchase ID': 'c1',
        'Purchase Date': '2026-06-11',
        'Item Name': 'Club',
        'Product ID': 'club',
        Variants: '',
        Recurrence: 'yearly',
        'Recurring Charge?': 0,
        'Subscription End Date': '',
        'Cancellation Date': '',
        'Fully Refunded?': 0,
        'Disputed?': 0,
        'Dispute Won?': 0,
        'Access Revoked?': 0,
        'Free trial purchase?': 0,
        'License Key': key,
        'License Key Enabled?': 1,
        ...columns,
      };
      const text = `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\nTotals${','.repeat(Object.keys(row).length - 1)}`;
      const { exitCode, stdout, stderr } = await printed('gumroad', { club }, text);
      expect(exitCode, stderr).to.equal(0);
      return [JSON.parse(stdout === '' ? '{}' : stdout) as Record<string, unknown>, stderr];
    }

    it('is past due for five days from the renewal that nobody paid, and is counted', async () => {
      for (const [columns, dueAt] of [
        [{ Recurrence: 'monthly', 'Purchase Date': '2026-06-16' }, '2026-07-16T00:00:00.000Z'],
        [{ Recurrence: 'quarterly', 'Purchase Date': '2026-04-17' }, '2026-07-17T00:00:00.000Z'],
        [{ 'Purchase Date': '2025-07-18' }, '2026-07-18T00:00:00.000Z'],
        [{ 'Purchase Date': '2024-07-18' }, '2025-07-18T00:00:00.000Z'],
        [{ 'Purchase Date': '2026-05-18', 'Free trial purchase?': 1 }, '2026-06-18T00:00:00.000Z'],
      ] as const) {
        const [line, stderr] = await lineAfter(columns);
        expect(line, JSON.stringify(columns)).to.include({ status: 'past_due', currentPeriodEnd: dueAt, grace: '5d' });
        expect(stderr).to.match(/^Warning: 1 record is past due: a payment is missing/);
      }
    });

    it('ends with what was paid if its renewal was canceled, and is not past due if its end is known', async () => {
      const due = { Recurrence: 'monthly', 'Purchase Date': '2026-06-01' };
      const [canceled] = await lineAfter({ ...due, 'Cancellation Date': '2026-07-10 08:00:00 UTC' });
      expect(canceled).to.include({ status: 'active', currentPeriodEnd: '2026-07-01T00:00:00.000Z', grace: '0s' });
      const [ended, stderr] = await lineAfter({ ...due, 'Subscription End Date': '2026-07-06' });
      expect(ended).to.include({ status: 'active', currentPeriodEnd: '2026-07-07T00:00:00.000Z', grace: '0s' });
      expect(stderr).to.equal('');
    });

    it('has a trial of a month at most, which is counted', async () => {
      for (const [Recurrence, trialEnd] of [
        ['yearly', '2026-08-11T00:00:00.000Z'],
        ['every_two_years', '2026-08-11T00:00:00.000Z'],
        ['monthly', '2026-08-11T00:00:00.000Z'],
      ] as const) {
        const [line, stderr] = await lineAfter({
          Recurrence,
          'Purchase Date': '2026-07-11',
          'Free trial purchase?': 1,
        });
        expect(line).to.include({ status: 'trialing', currentPeriodEnd: trialEnd, grace: '0s' });
        expect(stderr).to.match(/^Warning: 1 trial has no end in the export/);
      }
    });

    it('is left out while it is only ordered before its release', async () => {
      const [line, stderr] = await lineAfter({ 'Pre-order authorization?': 1 });
      expect([line, stderr]).to.deep.equal([{}, 'Left out: 1 ordered before the release and not charged.\n']);
    });

    it('is suspended while its latest charge is disputed, or if no charge is left', async () => {
      expect(await statusAfter('paid', 'disputed')).to.equal('suspended');
      expect(await statusAfter('refunded')).to.equal('suspended');
      expect(await statusAfter('disputed', 'refunded')).to.equal('suspended');
    });

    it('is revoked if its key is disabled, or its access was taken away', async () => {
      expect(await statusAfter('paid', 'refunded disabled')).to.equal('revoked');
      expect(await statusAfter('taken', 'paid')).to.equal('revoked');
    });
  });

  it('names the entitlements that are refused, because a page of an API is often one line', async () => {
    const cli = new TestCommandLine();
    const key = 'TOOL_38B14605-5104-4067-A91D-77B872934D51';
    const records = ['a', '\u001B[2J', 'x'.repeat(200)].map((id) => ({
      id,
      key,
      benefit_id: 'ben',
      status: 'granted',
    }));
    const given = JSON.stringify([...records, { ...records[0], id: 'odd', status: 'odd' }, { benefit_id: 'ben', key }]);
    const words = ['entitlement', 'import', '--from', 'polar', '--products', 'map', 'given', '--json'];
    const { stdout } = await cli.run(words, '', goldenFiles({ map: JSON.stringify({ ben: club }), given }));
    const { errors } = JSON.parse(stdout) as { readonly errors: readonly { readonly error: string }[] };
    expect(errors.map(({ error }) => error.split(/(?<=:) /)[0])).to.have.members([
      'polar_odd:',
      'id is missing.',
      'polar_a:',
      'polar_~1b~5b2J:',
      `polar_${'x'.repeat(200)}:`,
    ]);
  });

  it('refuses an instant that no calendar has', async () => {
    for (const seconds of [end * 1000, 1e15, 1e300, -1]) {
      const record = subscription({ items: [item('price_1', 'month', 1, { current_period_end: seconds })] });
      const { exitCode, stderr } = await printed('stripe', { price_1: club }, record);
      expect([exitCode, stderr.split('\n')[0]], `${seconds}`).to.deep.equal([
        1,
        'The file, line 1: stripe_sub_1: current_period_end must be an instant.',
      ]);
    }
    for (const expiry of [false, {}, [], [1]]) {
      const { stderr } = await printed('keygen', { pol: club }, license({ expiry }));
      expect(stderr, JSON.stringify(expiry)).to.include('attributes.expiry must be an instant.');
    }
  });

  describe('a license of Keygen', () => {
    it('can be mapped if it names neither policy nor product', async () => {
      const nameless = { ...license({}), relationships: {} };
      expect((await printed('keygen', {}, nameless)).stderr).to.include('"no policy": 1 record');
      expect(await lineOf('keygen', { 'no policy': club }, nameless)).to.include({ tierId: 'club' });
    });

    it('is refused for an unknown status, which may mean that it gives no access', async () => {
      const { stderr } = await printed('keygen', { pol: club }, license({ status: 'RETIRED' }));
      expect(stderr).to.include('attributes.status must be one of active, inactive, expiring, expired,');
    });
  });
});

/** The instant `days` days ago. */
function daysAgo(days: number): string {
  return new Date(noon.getTime() - days * 86_400_000).toISOString();
}

/** A subscription that is past due, with a period that began `days` days ago. */
function unpaidFor(days: number): { readonly status: string; readonly items: readonly object[] } {
  const period = { current_period_start: noon.getTime() / 1000 - days * 86_400, current_period_end: end };
  return { status: 'past_due', items: [item('price_1', 'month', 1, period)] };
}

function subscription({
  items = [item('price_1')],
  ...others
}: {
  readonly items?: unknown;
  readonly [name: string]: unknown;
}) {
  return { object: 'subscription', id: 'sub_1', status: 'active', items: { data: items }, ...others };
}

function item(price: string, interval = 'month', interval_count: unknown = 3, others: object = {}): object {
  const period = { current_period_start: start, current_period_end: end };
  return {
    ...period,
    price: { id: price, product: `prod_${price}`, recurring: { interval, interval_count } },
    ...others,
  };
}

function csvOf(interval: string, from: string, to: string): string {
  const columns = 'Current Period Start (UTC),Current Period End (UTC),Canceled At (UTC),Ended At (UTC)';
  return `id,Plan,Interval,Status,${columns}\nsub_1,price_1,${interval},active,${from},${to},,\n`;
}

function license(attributes: object): object {
  const key = 'DE7AE9-EDAA09-D94CF9-63EB9F-3E2D59-V3';
  const policy = { data: { id: 'pol' } };
  return { type: 'licenses', id: 'l', attributes: { key, status: 'ACTIVE', ...attributes }, relationships: { policy } };
}

function printed(vendor: VendorName, map: object, record: object | string): Promise<Run> {
  const given = typeof record === 'string' ? record : JSON.stringify(record);
  const words = ['entitlement', 'import', '--from', vendor, '--products', 'map', 'given', '--print'];
  return new TestCommandLine().run(words, '', goldenFiles({ map: JSON.stringify(map), given }));
}

async function lineOf(vendor: VendorName, map: object, record: object | string): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await printed(vendor, map, record);
  expect(exitCode, stderr).to.equal(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}
