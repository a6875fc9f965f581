import { expect } from 'chai';
import { aCall, aLicense, aOneTimePurchase, aSubscription, day, granted, later } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';
import { at, snapshot } from '../../support/http/granted-entitlement.ts';

interface HistoryEntry {
  readonly by: string;
  readonly correlationId: string;
}

const full = {
  ...snapshot,
  reference: 'sub_1',
  graceUntil: at(32),
  license: { lastFour: 'X5SX', createdAt: at(0), revokedAt: null },
  suspendedBy: [],
  own: { deviceLimit: null, features: {} },
};

/** As `snapshot` shows it. */
const monthly = aSubscription({
  reference: 'sub_1',
  currentPeriodStart: later(0),
  currentPeriodEnd: later(31 * day),
  graceUntil: later(32 * day),
  createdAt: later(0),
  updatedAt: later(0),
  license: aLicense({ lastFour: 'X5SX', createdAt: later(0) }),
});

atEachDoor('the commands that read entitlements', (door) => {
  const id = 'ent_1';

  beforeEach(async () => {
    for (const product of ['prod_1', 'prod_2']) await door().administration.addProduct(product, product, aCall());
    await door().ports.allEntitlements.add(granted([monthly]), aCall());
  });

  it('show what only an operator may see, and why access is suspended', async () => {
    expect(await door().run('entitlement show', { id })).to.deep.equal(full);
    await door().run('entitlement suspend', { id });
    expect(await door().run('entitlement show', { id })).to.deep.include({ suspendedBy: ['operator'] });
    await door().run('entitlement reinstate', { id });
    expect(await door().run('entitlement show', { id })).to.deep.include({ suspendedBy: [] });
  });

  it('tell who changed it, the newest first', async () => {
    await door().run('entitlement suspend', { id });
    await door().run('entitlement reinstate', { id });
    const history = (await door().run('entitlement history', { id })) as readonly HistoryEntry[];
    const facts = { at: at(0), by: history[0]?.by, reason: null };
    expect(facts.by).to.match(/^(operator:opk_1|command:test)$/);
    expect(history.map(({ correlationId: _id, ...each }) => each)).to.deep.equal([
      { ...facts, operation: 'reinstated', version: 3 },
      { ...facts, operation: 'suspended', version: 2 },
      { ...facts, by: 'command:test', operation: 'granted', version: 1 },
    ]);
  });

  it('show a count of intervals that is not 1, and the end and the updates of a purchase', async () => {
    const terms = { accessEndsAt: later(5 * day), updatesUntil: later(9 * day) };
    const others = [aSubscription({ id: 'many', billingIntervalCount: 3 }), aOneTimePurchase({ id: 'term', ...terms })];
    await door().ports.allEntitlements.add(granted(others), aCall());
    expect(await door().run('entitlement show', { id: 'many' })).to.include({ billingIntervalCount: 3 });
    const shown = { kind: 'one_time', currentPeriodEnd: null, accessEndsAt: at(5), updatesUntil: at(9) };
    expect(await door().run('entitlement show', { id: 'term' })).to.include(shown);
    expect(await door().run('entitlement list', { endsBefore: at(6) })).to.have.length(1);
    const listed = await door().run('entitlement list', { product: 'prod_1' });
    expect(listed).to.have.nested.property('[0]').that.deep.equals(snapshot);
    expect(listed).to.have.nested.property('[1].billingIntervalCount', 3);
  });

  it('list them by id or the newest first, and by product, status, end, reference, tier and end of the key', async () => {
    const entitlements = [
      aOneTimePurchase({ id: 'ent_2', createdAt: later(-2) }),
      aSubscription({ id: 'ent_3', productId: 'prod_2', reference: 'sub_1', tierId: 'team', createdAt: later(-3) }),
      aSubscription({ id: 'ent_4', license: aLicense({ digest: '4', lastFour: 'x5sx' }), createdAt: later(-4) }),
      aSubscription({ id: 'ent_5', hold: { kind: 'revoked', at: later(0) }, createdAt: later(-5) }),
    ];
    await door().ports.allEntitlements.add(granted(entitlements), aCall());
    const numbersOf = async (values: object): Promise<string> =>
      ((await door().run('entitlement list', { ...values })) as readonly { readonly id: string }[])
        .map((each) => each.id.slice('ent_'.length))
        .join('');
    for (const [values, numbers] of [
      [{}, '12345'],
      [{ order: 'newest' }, '12345'],
      [{ product: 'prod_1' }, '1245'],
      [{ product: 'none' }, ''],
      [{ product: 'prod_2', reference: 'sub_1' }, '3'],
      [{ status: 'revoked' }, '5'],
      [{ status: 'ended', order: 'newest' }, '5'],
      [{ endsBefore: monthly.currentPeriodEnd.toISOString() }, '345'],
      [{ tier: 'team' }, '3'],
      [{ tier: 'none' }, ''],
      [{ lastFour: 'X5SX' }, '1'],
      [{ lastFour: 'x5sx' }, '14'],
      [{ lastFour: 'x5sx', tier: 'team' }, ''],
      [{ product: 'prod_1', status: 'active', lastFour: 'x5sx', order: 'newest' }, '14'],
    ] as const) {
      expect(await numbersOf(values), JSON.stringify(values)).to.equal(numbers);
    }
  });
});
