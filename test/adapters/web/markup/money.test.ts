import { expect } from 'chai';
import { moneyText } from '../../../../adapters/web/markup/money.ts';

describe('amounts of money', () => {
  it('have the minor units of their currency, to the last one', () => {
    expect(
      [
        [-540, 'usd'],
        [1234, 'jpy'],
        [-1, 'bhd'],
        [Number.MAX_SAFE_INTEGER, 'usd'],
      ].map(([amount, currency]) => moneyText(Number(amount), String(currency))),
    ).to.deep.equal(['-US$5.40', 'JP¥1,234', '-BHD\u00a00.001', 'US$90,071,992,547,409.91']);
  });
});
