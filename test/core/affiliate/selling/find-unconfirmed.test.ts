import { expect } from 'chai';
import { findUnconfirmed } from '../../../../core/affiliate/selling/find-unconfirmed.ts';
import type { Call } from '../../../../core/call.ts';
import { aPayment, aSale } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';

/** Begins calls so long after the first hold has ended. */
const at = (milliseconds: number) => (): Call => aCall({ now: later(30 * day + milliseconds) });

describe('the sales that a look has to confirm', () => {
  const store = freshStore(memory.open);

  it('are found twenty at a time, the longest due first, and again after ten minutes', async () => {
    const ids = range(25).map((number) => `sub_${String(number).padStart(2, '0')}`);
    for (const [index, entitlementId] of ids.entries()) {
      const payments = [aPayment({ id: `ch_${index}`, paidAt: later(index * 1000) })];
      await store().sales.replace(null, aSale({ entitlementId, payments }), null, aCall());
    }
    const find = findUnconfirmed(store().sales);
    expect(await find(at(-1))).to.deep.equal([]);
    expect(await find(at(60_000))).to.deep.equal(ids.slice(0, 20));
    expect(await find(at(70_000))).to.deep.equal(ids.slice(20));
    expect(await find(at(80_000))).to.deep.equal([]);
    expect(await find(at(660_000))).to.deep.equal(ids.slice(0, 20));
  });
});
