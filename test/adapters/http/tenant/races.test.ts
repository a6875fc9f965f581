import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import { aCall } from '../../../support/builders.ts';
import { AdminClient, dataOf } from '../../../support/http/admin-client.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { addMerchant, mine, other } from '../../../support/tenant/two-merchants.ts';

const keys = { mine: 'svc_op_live_limited-to-mine', other: 'svc_op_live_limited-to-other' } as const;
type Merchant = keyof typeof keys;

const rounds = 4;

const listingOf = (merchant: Merchant) => ({
  name: merchant,
  blurb: merchant,
  category: merchant,
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: merchant,
  storefrontCount: 0,
  productId: merchant,
});

describe('two merchants at once', () => {
  const service = freshService(memory, { adminPort: 0 });

  beforeEach(async () => {
    const ports = portsIn(service().container);
    await addMerchant(ports, mine);
    await addMerchant(ports, other);
    const scopes = operatorScopes.filter((scope) => scope !== 'admin:waitlist');
    for (const merchant of ['mine', 'other'] as const)
      await service().addOperatorKey(keys[merchant], { id: `opk-of-${merchant}`, products: [merchant], scopes });
  });

  const send = async (merchant: Merchant, method: string, path: string, body?: object) =>
    new AdminClient(service()).send(method, path, { key: keys[merchant], ...(body !== undefined && { body }) });

  const put = async (merchant: Merchant, slug: string): Promise<number> =>
    (await send(merchant, 'PUT', `/admin/listings/${slug}`, listingOf(merchant))).status;

  const textsOf = async (slug: string): Promise<readonly unknown[]> => {
    const found = await portsIn(service().container).allListings.find(slug, aCall());
    return found === null
      ? []
      : [found.name, found.blurb, found.category, found.compensationLabel, found.productId ?? ''];
  };

  it('take one slug: one is answered 201, the other 409, and the listing is whole', async () => {
    for (const round of range(rounds)) {
      const slug = `race-${round}`;
      const both = round % 2 === 0 ? (['mine', 'other'] as const) : (['other', 'mine'] as const);
      const statuses = await Promise.all(both.map((merchant) => put(merchant, slug)));
      expect(
        statuses.toSorted((a, b) => a - b),
        slug,
      ).to.deep.equal([201, 409]);
      const winner = both[statuses.indexOf(201)] ?? '';
      expect(await textsOf(slug)).to.deep.equal([winner, winner, winner, winner, winner]);
    }
  });

  it('take the id of one endpoint: one is answered 201, the other 409, and only its product is delivered', async () => {
    for (const round of range(rounds)) {
      const id = `race-${round}`;
      const both = round % 2 === 0 ? (['mine', 'other'] as const) : (['other', 'mine'] as const);
      const replies = await Promise.all(
        both.map((productId) =>
          send(productId, 'POST', '/admin/webhooks', { id, url: `https://${productId}.example/`, productId }),
        ),
      );
      const statuses = replies.map(({ status }) => status);
      expect(
        statuses.toSorted((a, b) => a - b),
        id,
      ).to.deep.equal([201, 409]);
      const winner = both[statuses.indexOf(201)] ?? 'mine';
      const loser = both[statuses.indexOf(409)] ?? 'mine';
      expect(dataOf(await send(winner, 'GET', `/admin/webhooks/${id}`))).to.deep.include({
        url: `https://${winner}.example/`,
        productId: winner,
      });
      expect((await send(loser, 'GET', `/admin/webhooks/${id}`)).status).to.equal(404);
      const streams = await portsIn(service().container).deliveryStreams.page(
        { endpointId: id, after: null, limit: 9 },
        aCall(),
      );
      expect(streams.map(({ productId }) => productId)).to.include(winner);
    }
  });

  it('delete and add one slug: a deletion never removes what the other has added', async () => {
    for (const round of range(rounds)) {
      const slug = `gone-${round}`;
      expect(await put('mine', slug)).to.equal(201);
      const [added, ...deletions] = await Promise.all([
        put('other', slug),
        ...range(3).map(async () => dataOf(await send('mine', 'DELETE', `/admin/listings/${slug}`))),
      ]);
      expect(deletions).to.deep.include({ deleted: 1 });
      expect(deletions.filter((each) => (each as { deleted: number }).deleted === 1)).to.have.length(1);
      expect(added).to.be.oneOf([201, 409]);
      const kept = added === 201 ? 'other' : '';
      expect(await textsOf(slug), `${slug} ${added}`).to.deep.equal(kept === '' ? [] : range(5).map(() => kept));
    }
  });

  it('delete and add one endpoint: a deletion never removes what the other has added', async () => {
    for (const round of range(rounds)) {
      const id = `gone-${round}`;
      const add = async (productId: Merchant): Promise<number> =>
        (await send(productId, 'POST', '/admin/webhooks', { id, url: `https://${productId}.example/`, productId }))
          .status;
      expect(await add('mine')).to.equal(201);
      const [added] = await Promise.all([
        add('other'),
        ...range(3).map(() => send('mine', 'DELETE', `/admin/webhooks/${id}`)),
      ]);
      expect(added).to.be.oneOf([201, 409]);
      const shown = await send('other', 'GET', `/admin/webhooks/${id}`);
      expect(shown.status, `${id} ${added}`).to.equal(added === 201 ? 200 : 404);
      if (added === 201) {
        const streams = await portsIn(service().container).deliveryStreams.page(
          { endpointId: id, after: null, limit: 9 },
          aCall(),
        );
        expect(streams.map(({ productId }) => productId)).to.include('other');
      }
    }
  });
});
