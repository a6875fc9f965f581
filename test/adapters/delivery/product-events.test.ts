import { expect } from 'chai';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { Statement } from '../../../core/affiliate/statement/statement.ts';
import { termsOf } from '../../../core/tier/tier.ts';
import { aSale, aStatement } from '../../support/affiliates/builders.ts';
import { noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { everyAndNamed, type Receiver } from '../../support/webhooks/receiver.ts';

const pro = { productId: 'prod_1', id: 'pro' };
const terms = { deviceLimit: 3, features: { sso: true } };

describe('the events of no entitlement', () => {
  const store = freshStore(memory.open);
  let deliveries: TestDeliveries;
  let receivers: readonly Receiver[];

  beforeEach(async () => {
    deliveries = new TestDeliveries(store(), new MovedClock(0), 5);
    await deliveries.addProduct();
  });
  afterEach(async () => {
    await deliveries.stop();
    for (const receiver of receivers) await receiver.close();
  });

  /** Starts deliveries to an endpoint for every event that needs no name, and to one that names some. */
  async function naming(...types: Parameters<typeof everyAndNamed>[1]): ReturnType<typeof everyAndNamed> {
    const both = await everyAndNamed(deliveries, types);
    receivers = both;
    deliveries.start();
    return both;
  }

  it('of statements go to the endpoints that name them alone, in order, without lines', async () => {
    const [every, named] = await naming('statement.closed', 'statement.paid');
    const { statements, sales } = store();
    const call = { ...deliveries.call(), by: 'operator:opk_1' } as const;
    const eventOf = (statement: Statement, id: string) => statementEvent(statement, call, () => id);
    const sale = aSale();
    await sales.replace(null, sale, null, call);
    const closed = aStatement();
    await statements.add(
      { statement: closed, lines: [{ sale: sale.id, from: 0, to: 270 }] },
      eventOf(closed, 'e1'),
      call,
    );
    const paid = { ...closed, paid: { at: noon, method: 'sepa', reference: '7' }, revision: 2 };
    await statements.setPaid(closed, paid, eventOf(paid, 'e2'), call);
    await deliveries.grant('a');
    const got = await eventually(
      async () => named.accepted,
      (all) => all.length >= 2,
    );
    const { revision: _, ...facts } = closed;
    const shown = { ...facts, state: 'to_pay', closedAt: closed.closedAt.toISOString() };
    const data = { correlationId: call.correlationId, by: 'operator:opk_1' };
    expect(got.map(({ type, data: of }) => [type, of])).to.deep.equal([
      ['statement.closed', { sequence: 1, ...data, statement: shown }],
      [
        'statement.paid',
        {
          sequence: 2,
          ...data,
          statement: { ...shown, state: 'paid', paid: { ...paid.paid, at: noon.toISOString() } },
        },
      ],
    ]);
    await eventually(
      async () => every.accepted,
      (all) => all.length >= 1,
    );
    expect(every.received.map(({ type }) => type)).to.deep.equal(['entitlement.granted']);
  });

  it('of tiers go to the endpoint that names them alone, in order, each once', async () => {
    const [every, named] = await naming('tier.changed', 'entitlement.suspended');
    const { putTier, deleteTier } = deliveries.administration;
    const call = { ...deliveries.call(), by: 'operator:opk_1' } as const;
    await putTier(pro, termsOf(terms), call);
    await putTier(pro, termsOf({ ...terms, deviceLimit: null }), call);
    await deliveries.grant('a');
    await deleteTier(pro, call);
    await deliveries.change('a');
    const got = await eventually(
      async () => named.accepted,
      (all) => all.length >= 4,
    );
    const ofTiers = got.filter(({ type }) => type === 'tier.changed');
    const shown = { correlationId: call.correlationId, by: 'operator:opk_1', productId: 'prod_1', tierId: 'pro' };
    const unlimited = { ...terms, deviceLimit: null };
    expect(ofTiers.map(({ data }) => data)).to.deep.equal([
      { sequence: 1, ...shown, tier: terms, previous: null },
      { sequence: 2, ...shown, tier: unlimited, previous: terms },
      { sequence: 3, ...shown, tier: null, previous: unlimited },
    ]);
    expect(got.map(({ type }) => type).toSorted()).to.deep.equal([
      'entitlement.suspended',
      'tier.changed',
      'tier.changed',
      'tier.changed',
    ]);
    await eventually(
      async () => every.accepted,
      (all) => all.length >= 2,
    );
    expect(every.received.map(({ type }) => type)).to.deep.equal(['entitlement.granted', 'entitlement.suspended']);
    const stream = await eventually(
      () => deliveries.stream('whk_0'),
      (seen) => seen?.cursor === 5 && seen.pending.size === 0,
    );
    expect(stream?.failingSince).to.equal(null);
  });
});
