import { expect } from 'chai';
import { streamName, type DeliveryStream, type StreamName } from '../../../core/webhook/stream/delivery-stream.ts';
import {
  noChanges,
  takenBack,
  type AsideChanges,
  type WaitingDelivery,
} from '../../../core/webhook/stream/set-aside.ts';
import { aCall, later, noon } from '../../support/builders.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { anAttempt, aStream } from '../../support/webhooks/builders.ts';

/** The contract of `DeliveryStreams`. */
export function deliveryStreamsContract(open: OpenStore): void {
  describe('DeliveryStreams', () => {
    const store = freshStore(open);
    const streams = () => store().deliveryStreams;

    const busy: DeliveryStream = aStream({
      cursor: 1042,
      aside: { waiting: 7, parked: 3, wakeAt: later(3) },
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

    describe('what is set aside', () => {
      const effect = { at: later(-3), mark: 'cancel-1', unseen: ['cancel-2'], keptAt: later(-2) };
      const rows = new Map<string, WaitingDelivery>([
        ['__proto__', { positions: [3, 1041], attempt: 2, at: later(5000), effect }],
        ['a.b~c', { positions: [4], attempt: 10, at: null, effect: null }],
        ['tier/pro', { positions: [5, 6], attempt: 1, at: later(4000), effect: null }],
      ]);
      const aside = { waiting: 4, parked: 1, wakeAt: later(4000) };
      const head = aStream({ cursor: 9, aside, fence: 2 });
      const whole = async (name: StreamName = head) => streams().find(name, aCall(), 'all');
      const change = (fence: number, changes: Partial<AsideChanges>, stream = head) =>
        streams().replace({ ...stream, fence }, aCall(), { ...noChanges, ...changes });

      beforeEach(async () => {
        await streams().add([aStream(), aStream({ productId: 'prod_1.1' })], aCall());
        expect(await change(2, { put: rows })).to.deep.equal({ kind: 'replaced' });
      });

      it('is kept apart from the stream, and is taken back where it is asked for', async () => {
        expect(await streams().find(head, aCall())).to.deep.equal(head);
        expect(await streams().find(head, aCall(), ['a', 'ent_1'])).to.deep.equal(head);
        expect(await whole()).to.deep.equal(takenBack(head, rows));
        for (const [id, row] of rows) {
          expect(await streams().find(head, aCall(), [id, 'x'])).to.deep.equal(takenBack(head, new Map([[id, row]])));
        }
        expect((await streams().page({ endpointId: null, after: null, limit: 9 }, aCall()))[0]).to.deep.equal(head);
        expect((await whole(aStream({ productId: 'prod_1.1' })))?.pending.size).to.equal(0);
      });

      it('is found in the order of time, without what is parked', async () => {
        const order = async (limit: number): Promise<readonly string[]> => [
          ...(await streams().next(head, limit, aCall())).keys(),
        ];
        expect(await order(9)).to.deep.equal(['tier/pro', '__proto__']);
        expect(await order(1)).to.deep.equal(['tier/pro']);
        const [first] = (await streams().next(head, 9, aCall())).values();
        expect(first).to.deep.equal(rows.get('tier/pro'));
        expect([...(await streams().next(aStream({ productId: 'prod_1.1' }), 9, aCall()))]).to.deep.equal([]);
      });

      it('changes with the stream or not at all', async () => {
        const put = new Map([['a.b~c', { positions: [4, 8], attempt: 3, at: later(1), effect }]]);
        expect(await change(2, { put, remove: new Set(['tier/pro']) })).to.deep.equal({ kind: 'stale' });
        expect(await whole()).to.deep.equal(takenBack(head, rows));
        expect(await change(3, { put, remove: new Set(['tier/pro', 'unknown']) })).to.deep.equal({ kind: 'replaced' });
        const left = new Map([...rows, ...put]);
        left.delete('tier/pro');
        expect((await whole())?.pending).to.deep.equal(takenBack(head, left).pending);
      });

      it('becomes due all at once, and loses what is parked, without being read', async () => {
        expect(await change(3, { all: { kind: 'retry', at: later(7) } })).to.deep.equal({ kind: 'replaced' });
        const due = [...((await whole())?.pending.values() ?? [])];
        expect(due.map(({ attempt, at }) => [attempt, at])).to.deep.equal(due.map(() => [0, later(7)]));
        expect(due).to.have.length(3);
        await change(4, { put: new Map([...rows].slice(0, 2)) });
        await change(5, { all: { kind: 'skip parked' } });
        expect([...((await whole())?.pending.keys() ?? [])]).to.have.members(['__proto__', 'tier/pro']);
      });

      it('is removed with its stream, and is never that of another addition', async () => {
        await streams().remove([head], aCall());
        await streams().add([aStream()], aCall());
        expect(await whole()).to.deep.equal(aStream());
      });

      it('is one of twenty changes that are made at the same time', async () => {
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            change(3, { put: new Map([[`ent_${index}`, { positions: [9], attempt: 1, at: noon, effect: null }]]) }),
          ),
        );
        const winners = outcomes.flatMap(({ kind }, index) => (kind === 'replaced' ? [`ent_${index}`] : []));
        expect(winners).to.have.length(1);
        expect([...((await whole())?.pending.keys() ?? [])]).to.have.members([...rows.keys(), ...winners]);
      });
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
