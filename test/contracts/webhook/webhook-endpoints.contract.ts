import { expect } from 'chai';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { aCall, later } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/** The contract of `WebhookEndpoints`. */
export function webhookEndpointsContract(open: OpenStore): void {
  describe('WebhookEndpoints', () => {
    const store = freshStore(open);
    const endpoints = () => store().webhookEndpoints;

    const rotating = anEndpoint({
      id: 'whk_b',
      productId: null,
      types: null,
      state: 'disabled',
      reason: 'gone',
      secrets: [
        { key: 'whsec_bmV3', until: null },
        { key: 'whsec_b2xk', until: later(1) },
      ],
    });

    const ids = async (after: string | null, limit: number): Promise<readonly string[]> =>
      (await endpoints().page({ products: null, after, limit }, aCall())).map(({ id }) => id);

    it('returns what was added, and nothing under another id', async () => {
      const added = [await endpoints().add(anEndpoint(), aCall()), await endpoints().add(rotating, aCall())];
      expect(added).to.deep.equal(['added', 'added']);
      expect(await endpoints().find('whk_1', aCall())).to.deep.equal(anEndpoint());
      expect(await endpoints().find('whk_b', aCall())).to.deep.equal(rotating);
      expect(await endpoints().find('whk_', aCall())).to.equal(null);
    });

    it('keeps the first endpoint with an id', async () => {
      await endpoints().add(anEndpoint(), aCall());
      expect(await endpoints().add(anEndpoint({ url: 'https://b.example/' }), aCall())).to.equal('id taken');
      expect(await endpoints().find('whk_1', aCall())).to.deep.equal(anEndpoint());
    });

    it('adds one of twenty endpoints with one id at once', async () => {
      const rivals = range(20).map((index) => anEndpoint({ addition: `add_${index}` }));
      const outcomes = await Promise.all(rivals.map((rival) => endpoints().add(rival, aCall())));
      expect(outcomes.filter((outcome) => outcome === 'added')).to.have.length(1);
      expect(await endpoints().find('whk_1', aCall())).to.deep.equal(rivals[outcomes.indexOf('added')]);
    });

    it('lists by id in code-point order, page by page', async () => {
      for (const id of ['b', 'a', 'B', '~', '-']) await endpoints().add(anEndpoint({ id }), aCall());
      expect(await ids(null, 3)).to.deep.equal(['-', 'B', 'a']);
      expect(await ids('a', 3)).to.deep.equal(['b', '~']);
    });

    it('lets one of twenty writers change what all have seen', async () => {
      await endpoints().add(anEndpoint(), aCall());
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => endpoints().replace(next(index), aCall())),
      );
      const winner = outcomes.findIndex(({ kind }) => kind === 'replaced');
      expect(outcomes.filter(({ kind }) => kind === 'replaced')).to.have.length(1);
      expect(await endpoints().find('whk_1', aCall())).to.deep.equal(next(winner));
    });

    const of = async (products: readonly string[], after: string | null, limit: number): Promise<readonly string[]> =>
      (await endpoints().page({ products, after, limit }, aCall())).map(({ id }) => id);

    const remove = (id: string, ...products: readonly string[]) => endpoints().remove(id, new Set(products), aCall());

    it('lists and removes the endpoints of some products', async () => {
      for (const [id, productId] of [
        ['a', 'prod_1'],
        ['b', null],
        ['c', 'prod_2'],
        ['d', 'prod_1'],
        ['e', 'prod_3'],
      ] as const)
        await endpoints().add(anEndpoint({ id, productId }), aCall());
      expect(await of(['prod_1', 'prod_3'], null, 9)).to.deep.equal(['a', 'd', 'e']);
      expect(await of(['prod_1', 'prod_3'], 'a', 1)).to.deep.equal(['d']);
      expect(await of([], null, 9)).to.deep.equal([]);
      expect([await remove('a', 'prod_2'), await remove('b', 'prod_1'), await remove('a')]).to.deep.equal([
        false,
        false,
        false,
      ]);
      expect(await remove('a', 'prod_2', 'prod_1')).to.equal(true);
      expect(await ids(null, 9)).to.deep.equal(['b', 'c', 'd', 'e']);
    });

    it('removes none of another product, which takes the id meanwhile', async () => {
      for (const round of range(20)) {
        const own = anEndpoint({ id: `raced-${round}`, productId: 'prod_1' });
        const others = { ...own, addition: 'second', productId: 'prod_2' };
        await endpoints().add(own, aCall());
        const take = async (): Promise<void> => {
          while ((await endpoints().add(others, aCall())) === 'id taken');
        };
        const [, ...removed] = await Promise.all([take(), ...range(5).map(() => remove(own.id, 'prod_1'))]);
        expect(removed.filter(Boolean)).to.have.length(1);
        expect(await endpoints().find(own.id, aCall())).to.deep.equal(others);
      }
    });

    it('keeps whether an endpoint is for public addresses only', async () => {
      const added = anEndpoint({ isPublicOnly: true });
      await endpoints().add(added, aCall());
      expect(await endpoints().find('whk_1', aCall())).to.deep.equal(added);
      await endpoints().replace({ ...added, state: 'disabled', reason: 'gone', revision: 2 }, aCall());
      expect(await endpoints().find('whk_1', aCall())).to.include({ isPublicOnly: true, state: 'disabled' });
    });

    it('changes no endpoint that was added anew under the same id', async () => {
      await endpoints().add(anEndpoint({ addition: 'second' }), aCall());
      expect(await endpoints().replace(anEndpoint({ revision: 2 }), aCall())).to.deep.equal({ kind: 'stale' });
    });

    it('changes nothing that does not exist', async () => {
      expect(await endpoints().replace(anEndpoint({ revision: 2 }), aCall())).to.deep.equal({ kind: 'stale' });
      expect(await endpoints().find('whk_1', aCall())).to.equal(null);
    });

    it('removes an endpoint and no others, and leaves its streams', async () => {
      for (const id of ['a', 'a-b', 'a.b']) await endpoints().add(anEndpoint({ id }), aCall());
      await store().deliveryStreams.add([aStream({ endpointId: 'a' })], aCall());
      const removed = [await endpoints().remove('a', null, aCall()), await endpoints().remove('a', null, aCall())];
      expect(removed).to.deep.equal([true, false]);
      expect(
        (await endpoints().page({ products: null, after: null, limit: 10 }, aCall())).map(({ id }) => id),
      ).to.deep.equal(['a-b', 'a.b']);
      expect(await store().deliveryStreams.find(aStream({ endpointId: 'a' }), aCall())).to.not.equal(null);
    });
  });
}

/** The endpoint as one of many writers changes it. */
function next(index: number): WebhookEndpoint {
  return anEndpoint({ url: `https://a.example/${index}`, revision: 2 });
}
