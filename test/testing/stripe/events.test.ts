import { expect } from 'chai';
import { assert, nat, property, string } from 'fast-check';
import { Stripe } from 'stripe';
import { fakeStripe, type ApiVersion, type FakeStripe, type FakeStripeOptions } from '../../../testing/index.ts';
import { signatureHeader } from '../../../testing/stripe/events/deliveries.ts';
import { apiVersions, currentVersion } from '../../../testing/stripe/events/versions.ts';
import { EventReceiver } from '../../support/stripe/event-receiver.ts';
import { libraryOver } from '../../support/stripe/library.ts';

/** An event as the versions have it, with what differs between them. */
interface Rendered {
  readonly api_version: string;
  readonly data: { readonly object: RenderedObject; readonly previous_attributes?: RenderedObject };
}

interface RenderedObject {
  readonly current_period_end?: number;
  readonly items?: RenderedItems;
  readonly subscription?: string;
  readonly parent?: { readonly subscription_details: { readonly subscription: string } };
}

interface RenderedItems {
  readonly data: readonly { readonly current_period_end?: number }[];
}

function lastOf({ events }: EventReceiver, type: string): Rendered {
  return events.findLast((event) => event.type === type) as unknown as Rendered;
}

function endOfFirst(items: RenderedItems | undefined): number | undefined {
  return items?.data[0]?.current_period_end;
}

describe('the events of fakeStripe', () => {
  const running: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each[Symbol.asyncDispose]();
  });

  async function start(options: FakeStripeOptions = {}): Promise<FakeStripe> {
    const shop = await fakeStripe(options);
    running.push(shop);
    return shop;
  }

  async function receiverOf(shop: FakeStripe, apiVersion?: ApiVersion): Promise<EventReceiver> {
    const receiver = await EventReceiver.start(shop.webhookSecret);
    running.push(receiver);
    shop.addEndpoint({ url: receiver.url, apiVersion });
    return receiver;
  }

  it('are signed as the library signs', () => {
    const { webhooks } = new Stripe('sk_test_none');
    assert(
      property(string({ unit: 'binary' }), string({ minLength: 1 }), nat(), (payload, secret, timestamp) => {
        const options = { payload, secret, timestamp: timestamp + 1 };
        expect(signatureHeader(payload, secret, timestamp + 1)).to.equal(webhooks.generateTestHeaderString(options));
      }),
    );
  });

  it('have the version of the library by default', () => {
    expect(currentVersion).to.equal(Stripe.API_VERSION);
  });

  it('are delivered to an endpoint before the verb that caused them resolves', async () => {
    const shop = await start();
    const receiver = await receiverOf(shop);
    await shop.subscribe();
    expect(receiver.types).to.deep.equal(shop.events.map(({ type }) => type));
    expect(shop.undelivered()).to.deep.equal([]);
    expect(shop.deliveries.map(({ status }) => status)).to.deep.equal(shop.events.map(() => 200));
  });

  it('go to the endpoints that listen to their type, from when they were added', async () => {
    const shop = await start();
    const { subscription } = await shop.subscribe();
    const receiver = await EventReceiver.start(shop.webhookSecret);
    running.push(receiver);
    shop.addEndpoint({ url: receiver.url, events: ['customer.subscription.updated', 'charge.refunded'] });
    expect(shop.undelivered()).to.deep.equal([]);
    await shop.cancel(subscription);
    await shop.refund(subscription);
    expect(receiver.types).to.deep.equal(['customer.subscription.updated', 'charge.refunded']);
  });

  it('wait while deliveries are paused, and go in the order that a test says, as often as it says', async () => {
    const shop = await start();
    const { subscription } = await shop.subscribe();
    const receiver = await receiverOf(shop);
    shop.pauseDeliveries();
    await shop.cancel(subscription);
    await shop.undoCancellation(subscription);
    expect(receiver.types).to.deep.equal([]);
    const [canceled, undone] = shop.undelivered();
    if (canceled === undefined || undone === undefined) throw new Error('no events');
    await shop.deliver([undone, canceled, undone]);
    expect(receiver.events.map(({ id }) => id)).to.deep.equal([undone.id, canceled.id, undone.id]);
    shop.resumeDeliveries();
    await shop.cancelAtPeriodEnd(subscription);
    expect(receiver.events).to.have.length(4);
  });

  it('stay undelivered until an endpoint accepts them', async () => {
    const shop = await start();
    const { subscription } = await shop.subscribe();
    const receiver = await receiverOf(shop);
    receiver.status = 500;
    await shop.cancel(subscription);
    expect(shop.deliveries.map(({ status }) => status)).to.deep.equal([500]);
    expect(shop.undelivered()).to.have.length(1);
    receiver.status = 200;
    expect((await shop.deliver()).map(({ status }) => status)).to.deep.equal([200]);
    expect(shop.undelivered()).to.deep.equal([]);
  });

  it('have the object as it was when they happened', async () => {
    const shop = await start();
    const { subscription } = await shop.subscribe();
    await shop.cancelAtPeriodEnd(subscription);
    await shop.undoCancellation(subscription);
    const flags = shop.events
      .filter(({ type }) => type === 'customer.subscription.updated')
      .map(({ data }) => [data.object['cancel_at_period_end'], data.previous_attributes?.['cancel_at_period_end']]);
    expect(flags).to.deep.equal([
      [false, undefined],
      [true, false],
      [false, true],
    ]);
  });

  const periods: Record<ApiVersion, { readonly onSubscription: boolean }> = {
    '2024-06-20': { onSubscription: true },
    '2025-03-31.basil': { onSubscription: false },
    [currentVersion]: { onSubscription: false },
  };
  for (const version of apiVersions)
    it(`are rendered in version ${version}`, async () => {
      const shop = await start({ clock: { now: () => new Date('2026-01-31T00:00:00Z') } });
      const receiver = await receiverOf(shop, version);
      const { subscription } = await shop.subscribe();
      await shop.changePrice(subscription, shop.addPrice());
      const { data: updated, ...event } = lastOf(receiver, 'customer.subscription.updated');
      expect(event.api_version).to.equal(version);
      const end = Date.parse('2026-02-28T00:00:00Z') / 1000;
      const [ofSubscription, ofItem] = periods[version].onSubscription ? [end, undefined] : [undefined, end];
      expect(updated.object.current_period_end).to.equal(ofSubscription);
      expect(endOfFirst(updated.object.items)).to.equal(ofItem);
      expect(endOfFirst(updated.previous_attributes?.items)).to.equal(ofItem);
      const { object: invoice } = lastOf(receiver, 'invoice.paid').data;
      const [direct, byParent] = periods[version].onSubscription
        ? [subscription, undefined]
        : [undefined, subscription];
      expect(invoice.subscription).to.equal(direct);
      expect(invoice.parent?.subscription_details.subscription).to.equal(byParent);
      expect('billing_schedules' in updated.object).to.equal(version === currentVersion);
    });

  it('are listed in the version of the account, by type and time, and for thirty days', async () => {
    let now = new Date('2026-01-31T00:00:00Z');
    const shop = await start({ apiVersion: '2024-06-20', clock: { now: () => now } });
    const stripe = libraryOver(shop);
    const { subscription } = await shop.subscribe();
    const begun = now.getTime() / 1000;
    now = new Date('2026-02-02T00:00:00Z');
    await shop.cancel(subscription);
    const ids = async (params: Stripe.EventListParams): Promise<readonly string[]> =>
      (await stripe.events.list({ limit: 100, ...params })).data.map(({ type }) => type);
    const types = ['customer.subscription.updated', 'invoice.paid'];
    expect(await ids({ types })).to.deep.equal([types[0], types[0], types[1]]);
    expect(await ids({ types, created: { gt: begun } })).to.deep.equal([types[0]]);
    expect(await ids({ type: 'invoice.*' })).to.have.length(4);
    const { data } = await stripe.events.list({ type: 'invoice.paid' });
    expect([data[0]?.api_version, (data as unknown as readonly Rendered[])[0]?.data.object.subscription]).to.deep.equal(
      ['2024-06-20', subscription],
    );
    now = new Date('2026-03-03T00:00:01Z');
    expect(await ids({ types })).to.deep.equal([types[0]]);
  });
});
