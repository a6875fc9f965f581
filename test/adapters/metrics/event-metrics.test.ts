import { expect } from 'chai';
import { portsIn } from '../../../app/service/container.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, granted, later } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { bearer } from '../../support/http/requests.ts';
import { populatedServices } from '../../support/http/service-hooks.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { mongo } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';
import { TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { answerWith, Receiver } from '../../support/webhooks/receiver.ts';

describe('the metrics of events', () => {
  const start = populatedServices();

  it(`show what endpoints have not got`, async () => {
    const service = await start({ adminPort: 0 });
    const { allEntitlements, webhookEndpoints, deliveryStreams, events } = portsIn(service.container);
    expect(await shown(service, /^latchkey_(delivery|webhook)/)).to.deep.equal([
      'latchkey_delivery_backlog{state="parked"} 0',
      'latchkey_delivery_backlog{state="pending"} 0',
      'latchkey_delivery_oldest_seconds 0',
      'latchkey_webhook_endpoints{state="disabled",reason="failing"} 0',
      'latchkey_webhook_endpoints{state="disabled",reason="gone"} 0',
      'latchkey_webhook_endpoints{state="disabled",reason="requested"} 0',
      'latchkey_webhook_endpoints{state="enabled"} 0',
    ]);
    for (const seconds of [1, 2, 3, 4, 5]) {
      const entitlement = aSubscription({ id: `m_${seconds}`, productId: 'prod_m', sequence: 1 });
      const changeRecord = {
        ...aChangeRecord(entitlement),
        events: [anEvent(entitlement, { at: later(seconds * 1000) })],
      };
      await allEntitlements.add([{ entitlement, changeRecord }], aCall());
      await eventually(
        () => events.lastPosition('prod_m', aCall()),
        (last) => last === seconds,
      );
    }
    const ofProduct = { productId: 'prod_m' };
    await webhookEndpoints.add(anEndpoint(ofProduct), aCall());
    await webhookEndpoints.add(anEndpoint({ ...ofProduct, id: 'b', state: 'disabled', reason: 'gone' }), aCall());
    const pending = new Map([
      ['m_1', { positions: [1], attempt: 10, at: null }],
      ['m_2', { positions: [2], attempt: 1, at: later(5000) }],
    ]);
    await deliveryStreams.add([aStream({ ...ofProduct, cursor: 4, pending })], aCall());
    await deliveryStreams.add([aStream({ ...ofProduct, endpointId: 'b', cursor: 2 })], aCall());
    await deliveryStreams.add([aStream({ ...ofProduct, endpointId: 'deleted' })], aCall());
    service.now = later(60_000);
    expect(await shown(service, /^latchkey_(delivery|webhook).* [^0]/)).to.deep.equal([
      'latchkey_delivery_backlog{state="parked"} 1',
      'latchkey_delivery_backlog{state="pending"} 5',
      'latchkey_delivery_oldest_seconds 58',
      'latchkey_webhook_endpoints{state="disabled",reason="gone"} 1',
      'latchkey_webhook_endpoints{state="enabled"} 1',
    ]);
  });

  it(`show since when a change by the clock has had no event, and count those that get one`, async () => {
    const service = await start({ adminPort: 0 });
    const ended = aSubscription({ id: 'ent_m', sequence: 1, nextEventAt: later(-5000) });
    await service.grant({ ...ended, currentPeriodEnd: later(-5000) });
    const sweep = /^latchkey_(sweep|clock)/;
    expect(await shown(service, sweep)).to.deep.equal([
      'latchkey_clock_changes_total 0',
      'latchkey_sweep_oldest_seconds 5',
    ]);

    const recorded = await service.container.get(tokens.recordClockEvents)(() => aCall({ now: later(10_000) }));
    expect(recorded).to.be.greaterThan(0);
    expect(await shown(service, sweep)).to.deep.equal([
      `latchkey_clock_changes_total ${recorded}`,
      'latchkey_sweep_oldest_seconds 0',
    ]);
  });

  it('count deliveries by outcome', async () => {
    const service = await start({ adminPort: 0 });
    const ports = portsIn(service.container);
    const receiver = await Receiver.start();
    const deliveries = new TestDeliveries({ ...ports, settle: async () => {} });
    try {
      await deliveries.addProduct();
      const { secret } = await deliveries.addWebhook(receiver.url);
      receiver.secrets = [secret ?? ''];
      const wanted = async (outcome: string): Promise<readonly string[]> =>
        eventually(
          () => shown(service, /^latchkey_deliveries_total/),
          (lines) => lines.some((line) => line.includes(`"${outcome}"`) && !line.endsWith(' 0')),
        );
      expect(await shown(service, /^latchkey_deliveries_total/)).to.deep.equal([
        'latchkey_deliveries_total{outcome="delivered"} 0',
        'latchkey_deliveries_total{outcome="failed"} 0',
        'latchkey_deliveries_total{outcome="gone"} 0',
      ]);
      deliveries.start();
      await deliveries.grant('a');
      expect(await wanted('delivered')).to.include('latchkey_deliveries_total{outcome="delivered"} 1');
      receiver.answer = answerWith(500);
      await deliveries.grant('b');
      expect(await wanted('failed')).to.include('latchkey_deliveries_total{outcome="failed"} 1');
      receiver.answer = answerWith(410);
      await deliveries.grant('c');
      expect(await wanted('gone')).to.include('latchkey_deliveries_total{outcome="gone"} 1');
    } finally {
      await deliveries.stop();
      await receiver.close();
    }
  });

  it('show how many requests for events are held', async () => {
    const service = await start({ adminPort: 0 });
    const { body } = await service.send('/api/app-events?limit=100', { headers: [bearer()] });
    const path = `/api/app-events?wait=30&after=${(body as { meta: { next: string } }).meta.next}`;
    const held = /^latchkey_feed_held_requests/;
    const waiting = service.send(path, { headers: [bearer()] });
    const seen = await eventually(
      () => shown(service, held),
      (lines) => lines.includes('latchkey_feed_held_requests 1'),
    );
    expect(seen).to.deep.equal(['latchkey_feed_held_requests 1']);
    await service.grant(aSubscription({ id: 'ent_held', sequence: 1 }));
    expect((await waiting).status).to.equal(200);
    expect(await shown(service, held)).to.deep.equal(['latchkey_feed_held_requests 0']);
  });

  if (!isLeftOut('mongodb')) {
    it('count the events that MongoDB moves to the feed', async () => {
      const service = await start({ adminPort: 0 }, mongo);
      const { allEntitlements } = portsIn(service.container);
      const own = ['a', 'b', 'c'].map((id) => aSubscription({ id, productId: 'prod_m', sequence: 1 }));
      await allEntitlements.add(granted(own), aCall());
      // They are counted once they have left the outboxes, a moment after the feed has them.
      const counted = await eventually(
        () => shown(service, /^latchkey_store_batch_size_sum\{kind="events"\} [3-9]/),
        (lines) => lines.length > 0,
      );
      expect(counted).to.have.length(1);
    });
  }
});

/** The lines of the metrics that match, sorted. */
async function shown({ adminUrl }: TestService, pattern: RegExp): Promise<readonly string[]> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .toSorted();
}
