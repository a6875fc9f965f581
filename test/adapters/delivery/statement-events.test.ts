import { expect } from 'chai';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { Statement } from '../../../core/affiliate/statement/statement.ts';
import { aSale, aStatement } from '../../support/affiliates/builders.ts';
import { noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { everyAndNamed, type Receiver } from '../../support/webhooks/receiver.ts';

describe('the events of statements', () => {
  const store = freshStore(memory.open);
  let deliveries: TestDeliveries;
  let receivers: readonly [every: Receiver, named: Receiver];

  beforeEach(async () => {
    deliveries = new TestDeliveries(store(), new MovedClock(0), 5);
    await deliveries.addProduct();
    receivers = await everyAndNamed(deliveries, ['statement.closed', 'statement.paid']);
    deliveries.start();
  });
  afterEach(async () => {
    await deliveries.stop();
    for (const receiver of receivers) await receiver.close();
  });

  it('go to the endpoints that name them alone, in order, without lines', async () => {
    const [every, named] = receivers;
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
});
