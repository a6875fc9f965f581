import { expect } from 'chai';
import { mailing } from '../../../core/mail/mailing.ts';
import { beginReceiver } from '../../../core/receiver/own-receiver.ts';
import { everyStream } from '../../../core/webhook/stored-streams.ts';
import { streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { aCall, aChangeRecord, aSubscription, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';

/** More products than are read at once. */
const productIds = range(250).map((index) => `p${1000 + index}`);

describe('the beginning of a receiver', () => {
  const store = freshStore(memory.open);

  beforeEach(async () => {
    for (const id of productIds) await store().products.put({ id, name: 'Sketchpad', createdAt: noon }, aCall());
  });

  const begin = (deliveryStreams: Pick<DeliveryStreams, 'add'> = store().deliveryStreams): Promise<void> => {
    const { deliveryStreams: stored, events, products } = store();
    const page = stored.page.bind(stored);
    const find = stored.find.bind(stored);
    const replace = stored.replace.bind(stored);
    const remove = stored.remove.bind(stored);
    const next = stored.next.bind(stored);
    const add = deliveryStreams.add.bind(deliveryStreams);
    const streams = { find, page, add, replace, remove, next };
    return beginReceiver(mailing, { deliveryStreams: streams, events, products }, aCall);
  };
  const begun = async (): Promise<readonly string[]> => {
    const all = await Array.fromAsync(everyStream(store().deliveryStreams, mailing.endpoint.id, () => aCall()));
    return all.map(({ productId }) => productId);
  };
  /** Adds streams until those of the last products, before which it does something. */
  const beforeLast = (act: () => Promise<void>): Pick<DeliveryStreams, 'add'> => ({
    add: async (streams, call) => {
      if (streams.some(({ productId }) => productId === productIds.at(-1))) await act();
      return store().deliveryStreams.add(streams, call);
    },
  });

  it('goes on where it was interrupted, so that no old event is sent as that of a later product', async () => {
    const killed = beforeLast(() => Promise.reject(new Error('killed')));
    expect(await begin(killed).catch((error: Error) => error.message)).to.equal('killed');
    await begin();
    expect(await begun()).to.deep.equal(productIds);
  });

  it('is over for a process only when every stream is there, whichever process adds it', async () => {
    let seen: readonly string[] = [];
    await begin(
      beforeLast(async () => {
        await begin();
        seen = await begun();
      }),
    );
    expect(seen).to.deep.equal(productIds);
  });

  it('sends nothing that happened before it', async () => {
    const [productId = '', other = ''] = productIds;
    const entitlement = aSubscription({ productId, sequence: 1 });
    const changeRecord = aChangeRecord(entitlement);
    await store().allEntitlements.add([{ entitlement, changeRecord }], aCall());
    await begin();
    const cursorOf = async (id: string) =>
      (await store().deliveryStreams.find(streamName(mailing.endpoint, id), aCall()))?.cursor;
    expect([await cursorOf(productId), await cursorOf(other)]).to.deep.equal([1, 0]);
  });

  it('leaves the streams of later products to those who deliver', async () => {
    await begin();
    await store().products.put({ id: 'a-later-one', name: 'Later', createdAt: noon }, aCall());
    await begin();
    expect(await begun()).to.deep.equal(productIds);
  });
});
