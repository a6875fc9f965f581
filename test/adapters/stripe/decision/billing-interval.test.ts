import { expect } from 'chai';
import { intervalOf } from '../../../../adapters/stripe/decision/decide-subscription.ts';
import { anItem } from '../../../support/stripe/states.ts';

describe('the billing interval of an item', () => {
  const intervals = [
    ['month', 1, 'month', 1],
    ['year', 3, 'year', 3],
    ['day', 120, 'day', 120],
    ['day', 365, 'month', 12],
    ['week', 156, 'month', 36],
    ['day', 1095, 'month', 36],
  ] as const;
  for (const [interval, count, billingInterval, billingIntervalCount] of intervals) {
    it(`is ${billingIntervalCount} ${billingInterval}s for ${count} ${interval}s`, () => {
      const item = anItem({ recurring: { interval, interval_count: count } });
      expect(intervalOf(item)).to.deep.equal({ billingInterval, billingIntervalCount });
    });
  }
});
