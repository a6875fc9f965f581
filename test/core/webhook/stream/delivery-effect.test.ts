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
const at = (milliseconds: number) => ({ kind: 'seen', at: later(milliseconds), mark: null }) as const;
const kept = (milliseconds: number, keptAt = noon) => ({ at: later(milliseconds), mark: null, unseen: [], keptAt });
const idle = (effects: DeliveryEffects) => ({ effects, pending: new Map<string, unknown>() });

describe('the effects that a stream keeps', () => {
  it('are the last of each entitlement, the last to be kept at the end', () => {
    const first = withEffect(idle(withEffect(idle(none), 'sub_1', at(1), noon)), 'sub_2', at(2), noon);
    const all = withEffect(idle(first), 'sub_1', at(3), later(5));
    expect([...all]).to.deep.equal([
      ['sub_2', kept(2)],
      ['sub_1', kept(3, later(5))],
    ]);
  });

  it('are those of the last hour, and at most a thousand', () => {
    const old = withEffect(idle(none), 'sub_old', at(0), noon);
    expect([...withEffect(idle(old), 'sub_1', at(1), later(hour - 1)).keys()]).to.deep.equal(['sub_old', 'sub_1']);
    expect([...withEffect(idle(old), 'sub_1', at(1), later(hour)).keys()]).to.deep.equal(['sub_1']);
    const many = range(1003).reduce((all, index) => withEffect(idle(all), `sub_${index}`, at(index), noon), none);
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

  it('know the marks of what was asked for and not seen, however long that is', () => {
    const first = withEffect(idle(none), 'sub_1', { kind: 'asked', mark: 'evt_1.1' }, noon);
    const second = withEffect(idle(first), 'sub_1', { kind: 'asked', mark: 'evt_1.2' }, noon);
    expect(second.get('sub_1')).to.deep.equal({ at: null, mark: null, unseen: ['evt_1.1', 'evt_1.2'], keptAt: noon });
    const later9 = withEffect(idle(second), 'sub_2', at(1), later(9 * hour));
    const seen = withEffect(idle(later9), 'sub_1', { kind: 'seen', at: later(2), mark: 'evt_1.2' }, later(9 * hour));
    const known = { mark: 'evt_1.2', unseen: ['evt_1.1'], keptAt: later(9 * hour) };
    expect(seen.get('sub_1')).to.deep.equal({ at: later(2), ...known });
    const undated = withEffect(idle(seen), 'sub_1', { kind: 'seen', at: null, mark: 'evt_1.1' }, later(9 * hour));
    expect(undated.get('sub_1')).to.deep.equal({ at: later(2), ...known, mark: 'evt_1.1', unseen: [] });
  });

  it('are read as they were stored, and there are none in a stream of an earlier release', () => {
    const seen = withEffect(idle(none), '__proto__', { kind: 'seen', at: noon, mark: 'evt_1.1' }, later(2));
    const all = withEffect(idle(seen), 'sub_1', { kind: 'asked', mark: 'evt_2.1' }, later(3));
    expect(fromStoredEffects(storedEffects(all))).to.deep.equal(all);
    expect(fromStoredEffects()).to.deep.equal(none);
  });

  it('are read from release 0.2.0, which knew two instants and no marks', () => {
    const earlier = [
      ['sub_1', noon, noon, later(1)],
      ['sub_2', noon, later(15_000), later(1)],
    ] as const;
    expect([...fromStoredEffects(earlier)]).to.deep.equal([
      ['sub_1', kept(0, later(1))],
      ['sub_2', { ...kept(0, later(1)), at: null }],
    ]);
  });
});
