import { expect } from 'chai';
import { checkDeliveries } from '../../../core/check/check-deliveries.ts';
import { EventFaults } from '../../../core/check/event-faults.ts';
import { deleteWebhook } from '../../../core/webhook/add-webhook.ts';
import type { PendingEvents } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aSubscription, granted, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/** The beginning of each finding: the endpoint and the product. */
const whose = 'Endpoint whk_1 and product prod_1:';

describe('the check of deliveries', () => {
  const store = freshStore(memory.open);

  /** Stores ten events, and removes the first three. */
  beforeEach(async () => {
    for (const index of range(10)) {
      const added = granted([aSubscription({ id: `ent_${index}`, sequence: 1 })]);
      await store().allEntitlements.add(added, aCall({ now: later(index) }));
    }
    await store().events.prune('prod_1', later(2), aCall());
    await store().webhookEndpoints.add(anEndpoint({ productId: null }), aCall());
  });

  const deliver = (cursor: number, positions: readonly number[] = []) => {
    const waiting: PendingEvents = { positions, attempt: 0, at: noon };
    const pending = positions.length === 0 ? new Map<string, PendingEvents>() : new Map([['ent_1', waiting]]);
    return store().deliveryStreams.add([aStream({ cursor, pending })], aCall());
  };

  const check = async (ports = store()): Promise<readonly string[]> => {
    const faults = new EventFaults('webhooks');
    await checkDeliveries(ports, faults, aCall);
    return faults.findings('good').map(({ message }) => message);
  };

  const cases: readonly (readonly [string, number, readonly number[], readonly string[]])[] = [
    ['are good at the end of the log', 10, [], ['good']],
    ['are good before the first event that is kept', 3, [], ['good']],
    ['are good with events that are kept and were read', 9, [4, 9], ['good']],
    [
      'are beyond the log',
      11,
      [],
      [`${whose} the deliveries are at position 11, but the log ends at 10. Run webhook replay.`],
    ],
    [
      'need an event that is not kept',
      2,
      [],
      [`${whose} position 3 is not delivered, but the log begins at 4. Run webhook skip.`],
    ],
    [
      'have an event pending that is not kept',
      9,
      [3, 8],
      [`${whose} position 3 is not delivered, but the log begins at 4. Run webhook skip.`],
    ],
    ['have an event pending that was not read', 8, [8, 9, 10], [`${whose} position 9 is pending, but was not read.`]],
  ];
  for (const [what, cursor, positions, expected] of cases) {
    it(`says that they ${what}`, async () => {
      await deliver(cursor, positions);
      expect(await check()).to.deep.equal(expected);
    });
  }

  it('says that an addition has left some, and what removes them', async () => {
    await deliver(10);
    const left = [{ addition: 'add_2' }, { endpointId: 'whk_2' }, { endpointId: 'whk_2', productId: 'prod_2' }];
    await store().deliveryStreams.add(left.map(aStream), aCall());
    await store().webhookEndpoints.add(anEndpoint({ id: 'whk_3' }), aCall());
    await store().deliveryStreams.add([aStream({ endpointId: 'whk_3', productId: 'prod_2' })], aCall());
    const by = 'there are deliveries that an addition has left, which failed or is going on.';
    expect(await check()).to.have.members([
      `Endpoint whk_1: ${by} Run webhook add with its own terms.`,
      `Endpoint whk_2: ${by} Run webhook delete.`,
      `Endpoint whk_3: ${by} Run webhook add with its own terms.`,
    ]);
  });

  it('leaves out what is deleted meanwhile', async () => {
    await deliver(11);
    const deliveryStreams = interposed(store().deliveryStreams, async (method) => {
      if (method === 'find') await deleteWebhook(store().webhookEndpoints, store().deliveryStreams)('whk_1', aCall());
    });
    expect(await check({ ...store(), deliveryStreams })).to.deep.equal(['good']);
  });

  it('reads every endpoint and every stream, however many there are', async () => {
    for (const index of range(201)) {
      await store().webhookEndpoints.add(anEndpoint({ id: `whk_2_${1000 + index}`, productId: null }), aCall());
      await store().deliveryStreams.add([aStream({ productId: `prod_2_${1000 + index}` })], aCall());
    }
    const last = { endpointId: 'whk_2_1200', productId: 'prod_2_1200', cursor: 1 };
    await store().deliveryStreams.add([aStream(last)], aCall());
    await store().deliveryStreams.add([aStream({ productId: 'prod_3', cursor: 2 })], aCall());
    expect(await check()).to.deep.equal([
      'Endpoint whk_1 and product prod_3: the deliveries are at position 2, but the log ends at 0. Run webhook replay.',
      'Endpoint whk_2_1200 and product prod_2_1200: the deliveries are at position 1, but the log ends at 0. Run webhook replay.',
    ]);
  });
});
