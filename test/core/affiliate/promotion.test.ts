import { expect } from 'chai';
import {
  agreed,
  askedAgain,
  askedPromotion,
  endedPromotion,
  withCodes,
  type Promotion,
} from '../../../core/affiliate/promotion.ts';
import { termsAt } from '../../../core/affiliate/sale/terms.ts';
import { aPromotion, aVersion, thirty } from '../../support/affiliates/builders.ts';
import { later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';

const by = 'operator:opk_1';
const twenty = { ...thirty, commissionPercent: 2000 };
const none = { commissionPercent: null, commissionFor: null, holdDays: null };

function agreedOn(...parameters: Parameters<typeof agreed>): Promotion {
  const promotion = agreed(...parameters);
  if (promotion === 'too many') throw new Error('there are too many versions');
  return promotion;
}

describe('a promotion', () => {
  const named = { handle: 'ada', slug: 'sketchpad', productId: 'prod_1' };
  const asked = askedPromotion(named, { now: noon });

  it('begins with nothing that is agreed', () => {
    expect(asked).to.deep.equal({ ...named, state: 'asked', codes: [], terms: [], askedAt: noon, revision: 1 });
  });

  it('adds each version of the terms, which counts from strictly after it', () => {
    const live = agreedOn(asked, thirty, by, { now: later(1000) });
    const first = { from: later(1000), by, ...thirty };
    expect(live).to.deep.equal({ ...asked, state: 'live', terms: [first], revision: 2 });
    const changed = agreedOn(live, twenty, 'affiliate:ada', { now: later(2000) });
    const second = { from: later(2000), by: 'affiliate:ada', ...twenty };
    expect(changed).to.deep.equal({ ...live, terms: [first, second], revision: 3 });
    const at = (ms: number) => termsAt(changed.terms, later(ms))?.commissionPercent ?? null;
    expect([1000, 1001, 2000, 2001].map(at)).to.deep.equal([null, 3000, 3000, 2000]);
  });

  it('is as it was if it is live with the same terms', () => {
    const live = agreedOn(asked, thirty, by, { now: noon });
    expect(agreed(live, { ...thirty }, 'operator:opk_2', { now: later(1) })).to.equal(live);
    for (const other of [twenty, { ...thirty, commissionFor: 12 }, { ...thirty, holdDays: 0 }]) {
      expect(agreedOn(live, other, by, { now: later(1) }).terms).to.have.length(2);
    }
  });

  it('never lets a version count from before the one that it follows', () => {
    const live = aPromotion({ terms: [aVersion({ from: later(5) })] });
    expect(agreedOn(live, twenty, by, { now: noon }).terms[1]?.from).to.deep.equal(later(5));
    expect(endedPromotion(live, by, { now: noon }).terms[1]?.from).to.deep.equal(later(5));
  });

  it('ends once, and has its codes for good', () => {
    const live = aPromotion({ codes: ['ada20'] });
    const ended = endedPromotion(live, by, { now: noon });
    const terms = [...live.terms, { from: noon, by, ...none }];
    expect(ended).to.deep.equal({ ...live, state: 'ended', terms, revision: 2 });
    expect(termsAt(ended.terms, later(1))).to.equal(null);
    expect(endedPromotion(ended, by, { now: later(1) })).to.equal(ended);
    expect(endedPromotion(asked, by, { now: noon })).to.deep.equal({ ...asked, state: 'ended', revision: 2 });
  });

  it('can be asked for and agreed on again', () => {
    const ended = endedPromotion(aPromotion(), by, { now: noon });
    expect(askedAgain(ended, { now: later(7) })).to.deep.equal({
      ...ended,
      state: 'asked',
      askedAt: later(7),
      revision: 3,
    });
    const again = agreedOn(ended, thirty, by, { now: later(9) });
    expect(again).to.include({ state: 'live', revision: 3 });
    expect(again.terms).to.deep.equal([...ended.terms, { from: later(9), by, ...thirty }]);
  });

  it('has at most 50 versions, of which the last is kept for the end', () => {
    const terms = range(48).map((n) => aVersion({ from: later(n), holdDays: n }));
    const most = agreedOn(aPromotion({ terms }), thirty, by, { now: later(99) });
    expect(most.terms).to.have.length(49);
    expect(agreed(most, twenty, by, { now: later(99) })).to.equal('too many');
    expect(agreed(most, thirty, by, { now: later(99) })).to.equal(most);
    const ended = endedPromotion(most, by, { now: later(99) });
    expect(ended.terms).to.have.length(50);
    expect(agreed(ended, thirty, by, { now: later(99) })).to.equal('too many');
  });

  it('adds codes, the newest last, and none twice', () => {
    const promotion = aPromotion({ codes: ['b'] });
    const more = withCodes(promotion, ['a', 'b', 'a']);
    expect(more).to.deep.equal({ ...promotion, codes: ['b', 'a'], revision: 2 });
    expect(withCodes(promotion, ['b'])).to.equal(promotion);
    const names = range(19).map((n) => `c${n}`);
    expect(withCodes(promotion, names)).to.deep.include({ codes: ['b', ...names] });
    expect(withCodes(promotion, [...names, 'c99'])).to.equal('too many');
  });
});
