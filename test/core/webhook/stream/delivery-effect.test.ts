import { expect } from 'chai';
import {
  fromStoredEffects,
  storedEffects,
  withEffect,
  type DeliveryEffects,
} from '../../../../core/webhook/stream/delivery-effect.ts';
import { hour, later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';

const none: DeliveryEffects = new Map();
const at = (milliseconds: number) => ({ from: later(milliseconds), to: later(milliseconds) });
const idle = (effects: DeliveryEffects) => ({ effects, pending: new Map<string, unknown>() });

describe('the effects that a stream keeps', () => {
  it('are the last of each entitlement, the last to be kept at the end', () => {
    const first = withEffect(idle(withEffect(idle(none), 'sub_1', at(1), noon)), 'sub_2', at(2), noon);
    const kept = withEffect(idle(first), 'sub_1', at(3), later(5));
    expect([...kept]).to.deep.equal([
      ['sub_2', { ...at(2), keptAt: noon }],
      ['sub_1', { ...at(3), keptAt: later(5) }],
    ]);
  });

  it('are those of the last hour, and at most a thousand', () => {
    const old = withEffect(idle(none), 'sub_old', at(0), noon);
    expect([...withEffect(idle(old), 'sub_1', at(1), later(hour - 1)).keys()]).to.deep.equal(['sub_old', 'sub_1']);
    expect([...withEffect(idle(old), 'sub_1', at(1), later(hour)).keys()]).to.deep.equal(['sub_1']);
    const many = range(1003).reduce((kept, index) => withEffect(idle(kept), `sub_${index}`, at(index), noon), none);
    expect([...many.keys()]).to.deep.equal(
      range(1003)
        .slice(3)
        .map((index) => `sub_${index}`),
    );
  });

  it('are kept while something is pending', () => {
    const effects = withEffect(idle(none), 'sub_old', at(0), noon);
    const pending = new Map([['sub_old', null]]);
    expect([...withEffect({ effects, pending }, 'sub_1', at(1), later(9 * hour)).keys()]).to.deep.equal([
      'sub_old',
      'sub_1',
    ]);
  });

  it('are read as they were stored, and there are none in a stream of an earlier release', () => {
    const kept = withEffect(idle(none), '__proto__', { from: noon, to: later(1) }, later(2));
    expect(fromStoredEffects(storedEffects(kept))).to.deep.equal(kept);
    expect(fromStoredEffects()).to.deep.equal(none);
  });
});
