import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import { recordClockEvents } from '../../../core/entitlement/event/record-clock-events.ts';
import { mailing } from '../../../core/mail/mailing.ts';
import { newStream, streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, day, later, noon } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { addSetAside } from '../../support/webhooks/builders.ts';

const written = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;

describe('a purchase with what happened to it', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);

  beforeEach(async () => {
    const { addProduct, putEntitlement, addWebhook } = administration();
    await addProduct('prod_1', 'One', aCall());
    await addWebhook({ id: 'whk_1', url: 'https://shop.example/', productId: null, types: null }, aCall());
    await putEntitlement({ id: 'ent_0', written, licenseKey: null }, aCall());
    await putEntitlement({ id: 'ent_1', written: { ...written, reference: 'sub_1' }, licenseKey: null }, aCall());
  });

  it('has the changes of the entitlement with their events and deliveries, and those of no other', async () => {
    const { runEntitlementCommand, showPurchase } = administration();
    await runEntitlementCommand('ent_0', { kind: 'suspend' }, aCall());
    await runEntitlementCommand('ent_1', { kind: 'cancel' }, aCall({ now: later(1000) }));
    await store().settle();
    const shown = await showPurchase('ent_1', aCall({ now: later(2000) }));
    expect(shown.timeline.map(({ event }) => event?.sequence)).to.deep.equal([2, 1]);
    expect(shown.timeline.map(({ operation, version, at }) => [operation, version, at])).to.deep.equal([
      ['cancellation_scheduled', 2, later(1000)],
      ['granted', 1, noon],
    ]);
    const deliveries = shown.timeline.flatMap((entry) => entry.deliveries);
    expect(deliveries.map(({ endpoint, state }) => [endpoint.id, state])).to.deep.equal([
      ['whk_1', 'waiting'],
      ['whk_1', 'waiting'],
    ]);
    expect([shown.product?.name, shown.entitlement.reference, shown.grace]).to.deep.equal(['One', 'sub_1', day]);
    expect(shown.changes).to.deep.equal(['resume', 'change-tier', 'allow', 'suspend', 'revoke']);
  });

  it('names the ends that it can be extended to, also after the last one', async () => {
    const { showPurchase } = administration();
    const now = await showPurchase('ent_1', aCall());
    expect(now.extensions(null)?.ends.get('1m')?.toISOString()).to.equal('2026-09-18T12:00:00.000Z');
    const afterYears = await showPurchase('ent_1', aCall({ now: new Date('2029-01-05T00:00:00Z') }));
    expect(afterYears.extensions(null)?.ends.get('1m')?.toISOString()).to.equal('2029-02-05T00:00:00.000Z');
  });

  it('has what the clock did, after the change before it', async () => {
    const { showPurchase } = administration();
    const now = later(40 * day);
    await recordClockEvents(store().dueEntitlements, nodePlatform.newEventId)(() => aCall({ now }));
    await store().settle();
    const { timeline } = await showPurchase('ent_1', aCall({ now }));
    expect(timeline.map(({ by, event }) => [by, event?.type])).to.deep.equal([
      ['clock', 'entitlement.ended'],
      ['clock', 'entitlement.past_due'],
      ['command:test', 'entitlement.granted'],
    ]);
  });

  it('has what became of its changes at Stripe and of its mails, set aside or not', async () => {
    const { putEntitlement, runEntitlementCommand, showPurchase } = administration();
    await putEntitlement({ id: 'sub_1', written, licenseKey: null }, aCall({ by: 'stripe' }));
    await runEntitlementCommand('sub_1', { kind: 'suspend' }, aCall());
    await store().settle();
    const placed = (await store().events.page('prod_1', 0, 100, aCall())).events;
    const own = placed.flatMap(({ position, event }) =>
      'entitlement' in event && event.entitlement.id === 'sub_1' ? [position] : [],
    );
    const pending = new Map([['sub_1', { positions: own, attempt: 1, at: null }]]);
    for (const endpoint of [outgoing, mailing.endpoint]) {
      const stream = newStream(streamName(endpoint, 'prod_1'), own.at(-1) ?? 0);
      await addSetAside(store().deliveryStreams, { ...stream, pending });
    }
    const { timeline } = await showPurchase('sub_1', aCall());
    expect(timeline.map(({ toStripe, byMail }) => [toStripe?.state, byMail?.state])).to.deep.equal([
      ['parked', undefined],
      [undefined, 'parked'],
    ]);
  });

  it('names the endpoints of its product alone, and what waits for them', async () => {
    const { addProduct, addWebhook, showPurchase } = administration();
    await addProduct('prod_2', 'Two', aCall());
    await addWebhook({ id: 'whk_2', url: 'https://shop.example/', productId: 'prod_2', types: null }, aCall());
    await store().settle();
    const { receivers } = await showPurchase('ent_1', aCall());
    expect(receivers.map(({ endpoint }) => endpoint.id)).to.deep.equal(['whk_1']);
  });

  it('is refused for an id that there is not', async () => {
    const { code } = await refusalOf(administration().showPurchase('ent_9', aCall()));
    expect(code).to.equal('entitlement_not_found');
  });
});
