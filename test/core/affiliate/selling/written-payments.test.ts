import { expect } from 'chai';
import { maxPayments } from '../../../../core/affiliate/sale/sale.ts';
import { currencyRule, paymentRule, paymentsRule } from '../../../../core/affiliate/selling/written-payments.ts';
import { aPayment } from '../../../support/affiliates/builders.ts';
import { noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';

const written = { id: 'ch_1', paidAt: noon.toISOString(), amount: 900, kept: 900 };

describe('payments as they are written', () => {
  it('are an id, an instant and two amounts', () => {
    expect(paymentRule.parse(`ch_1,${noon.toISOString()},900,900`)).to.deep.equal(aPayment());
    expect(paymentsRule.read([written])).to.deep.equal([aPayment()]);
    expect(paymentsRule.read([aPayment()])).to.deep.equal([aPayment()]);
    expect(paymentsRule.read([])).to.deep.equal([]);
  });

  it('keep no more than came, in whole units', () => {
    const wrong: readonly unknown[] = [
      ...['', 'ch 1', 5, null].map((id) => ({ ...written, id })),
      ...['2026-11-02', 7, null].map((paidAt) => ({ ...written, paidAt })),
      ...[-1, 1.5, '900', 2 ** 53, null].map((amount) => ({ ...written, amount })),
      ...[-1, 0.5, 901, null].map((kept) => ({ ...written, kept })),
      { ...written, currency: 'eur' },
      null,
      'ch_1',
    ];
    for (const each of wrong) expect(paymentsRule.read([each]), JSON.stringify(each)).to.equal(null);
    for (const text of [
      '',
      'ch_1',
      `ch_1,${noon.toISOString()},900`,
      `ch_1,${noon.toISOString()},900,900,usd`,
      `ch_1,${noon.toISOString()},900,901`,
      ...['10.00', '1e3', '+900', ' 900', '0x10', '1_000', '900.0', '-0', ''].map(
        (amount) => `ch_1,${noon.toISOString()},${amount},0`,
      ),
      `ch_1,${noon.toISOString()},10,10.00`,
    ]) {
      expect(paymentRule.parse(text), text).to.equal(null);
    }
  });

  it('are a list, none twice, not too many and not too much together', () => {
    const many = (count: number): readonly object[] =>
      range(count).map((number) => ({ ...written, id: `ch_${number}` }));
    const all = Number.MAX_SAFE_INTEGER;
    expect(paymentsRule.read(many(maxPayments))).to.have.length(maxPayments);
    expect(paymentsRule.read(many(maxPayments + 1))).to.equal(null);
    expect(paymentsRule.read([written, written])).to.equal(null);
    expect(paymentsRule.read([{ ...written, amount: all }])).to.have.length(1);
    expect(
      paymentsRule.read([
        { ...written, amount: all },
        { ...written, id: 'ch_2', amount: 1, kept: 1 },
      ]),
    ).to.equal(null);
    for (const none of [null, {}, 'ch_1', 5]) expect(paymentsRule.read(none)).to.equal(null);
    expect(paymentsRule.parse('')).to.equal(null);
  });

  it('are in a currency of three lowercase letters', () => {
    expect(['usd', 'USD', 'us', 'usdx', ''].map((text) => currencyRule.parse(text))).to.deep.equal([
      'usd',
      null,
      null,
      null,
      null,
    ]);
  });
});
