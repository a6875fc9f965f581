import { expect } from 'chai';
import { streamName, type DeliveryStream, type StreamName } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, later } from '../../support/builders.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { anAttempt, aStream } from '../../support/webhooks/builders.ts';

/** The contract of `DeliveryStreams`. */
export function deliveryStreamsContract(open: OpenStore): void {
  describe('DeliveryStreams', () => {
    const store = freshStore(open);
    const streams = () => store().deliveryStreams;

    const busy: DeliveryStream = aStream({
      cursor: 1042,
      pending: new Map([
        ['__proto__', { positions: [3, 1041], attempt: 2, at: later(5000) }],
        ['a.b~c', { positions: [4], attempt: 10, at: null }],
      ]),
      failing: ['__proto__', 'a.b~c'],
      failingSince: later(-1),
      probe: { attempt: 3, at: later(7) },
      deliveredAt: later(-2),
      attempts: [
        anAttempt({ at: later(-2) }),
        anAttempt({ position: 1041, eventId: 'evt_2', status: null, reason: 'no answer in time', durationMs: 15_000 }),
      ],
      effects: new Map([
        ['__proto__', { at: null, mark: null, unseen: ['evt_1.1', 'evt_1.2'], keptAt: later(-2) }],
        ['a.b~c', { at: later(1), mark: 'evt_2.1', unseen: [], keptAt: later(2) }],
      ]),
      holder: 'process-1',
      fence: 2,
    });

    const walked = async (endpointId: string | null): Promise<readonly StreamName[]> => {
      const found: DeliveryStream[] = [];
      for (let after: DeliveryStream | null = null; ;) {
        const page: readonly DeliveryStream[] = await streams().page({ endpointId, after, limit: 3 }, aCall());
        found.push(...page);
        after = page.at(-1) ?? null;
        if (page.length < 3)
          return found.map(({ endpointId: id, addition, productId }) => streamName({ id, addition }, productId));
      }
    };

    it('returns what was stored, first and changed', async () => {
      await streams().add([aStream()], aCall());
      expect(await streams().find(aStream(), aCall())).to.deep.equal(aStream());
      expect(await streams().replace(busy, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await streams().find(busy, aCall())).to.deep.equal(busy);
      const freed = aStream({ cursor: 1042, fence: 3 });
      expect(await streams().replace(freed, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await streams().find(freed, aCall())).to.deep.equal(freed);
    });

    it('keeps the first stream of an endpoint, an addition and a product', async () => {
      const others = [aStream({ productId: 'prod_2' }), aStream({ addition: 'add_2' }), aStream({ addition: '' })];
      await streams().add([busy, ...others], aCall());
      await streams().add([aStream(), aStream({ productId: 'prod_3' })], aCall());
      for (const stream of [busy, ...others, aStream({ productId: 'prod_3' })]) {
        expect(await streams().find(stream, aCall())).to.deep.equal(stream);
      }
      expect(await streams().find(aStream({ endpointId: 'prod_1', productId: 'whk_1' }), aCall())).to.equal(null);
    });

    it('removes streams and no others, and those that do not exist', async () => {
      const [a, b, c] = [aStream(), aStream({ addition: 'add_2' }), aStream({ productId: 'prod_2' })];
      await streams().add([a, b, c], aCall());
      for (const names of [
        [a, c],
        [a, aStream({ endpointId: 'whk_2' })],
      ])
        await streams().remove(names, aCall());
      expect(await walked(null)).to.deep.equal([streamName({ id: 'whk_1', addition: 'add_2' }, 'prod_1')]);
      expect(await streams().replace({ ...a, fence: 2 }, aCall())).to.deep.equal({ kind: 'stale' });
    });

    it('lets one of twenty processes take a stream', async () => {
      await streams().add([aStream()], aCall());
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => streams().replace(taken(index), aCall())),
      );
      expect(outcomes.filter(({ kind }) => kind === 'replaced')).to.have.length(1);
      expect(await streams().find(aStream(), aCall())).to.deep.equal(
        taken(outcomes.findIndex(({ kind }) => kind === 'replaced')),
      );
    });

    it('changes nothing that does not exist, and nothing with an old fence', async () => {
      expect(await streams().replace(aStream({ fence: 2 }), aCall())).to.deep.equal({ kind: 'stale' });
      await streams().add([aStream({ fence: 5 })], aCall());
      for (const fence of [4, 5, 7])
        expect(await streams().replace(aStream({ fence }), aCall())).to.deep.equal({ kind: 'stale' });
      expect(await streams().find(aStream(), aCall())).to.deep.equal(aStream({ fence: 5 }));
    });

    it('lists every stream once, page by page, and those of one addition by product', async () => {
      const names = ['a', 'a-', 'a.b', 'a0', 'B'].flatMap((id) =>
        ['x', 'X', 'x.1', '~'].map((productId) => streamName({ id, addition: 'add_1' }, productId)),
      );
      await streams().add(names.map(aStream), aCall());
      const all = await walked(null);
      expect(all).to.have.length(names.length);
      expect(all).to.have.deep.members(names);
      expect((await walked('a')).map(({ productId }) => productId)).to.deep.equal(['X', 'x', 'x.1', '~']);
      expect(await walked('c')).to.deep.equal([]);
    });
  });
}

/** The stream as a process takes it. */
function taken(index: number): DeliveryStream {
  return aStream({ holder: `process-${index}`, fence: 2 });
}
