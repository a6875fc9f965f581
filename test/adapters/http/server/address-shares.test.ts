import { expect } from 'chai';
import { AddressShares } from '../../../../adapters/http/server/address-shares.ts';
import { range } from '../../../support/range.ts';

/** Pairs of addresses, and whether they have one share. */
const pairs: readonly (readonly [one: string, other: string, isOne: boolean])[] = [
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::1', true],
  ['2001:db8:1:2::1', '2001:db8:1:2:0:0:1:0', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:db8::1:0:0:1', true],
  ['2001:db8::1:0:0:0:1', '2001:db8::1', false],
  ['::1', '::2', true],
  ['::1', '127.0.0.1', false],
  ['fe80::1%eth0', 'fe80::2%eth0', true],
];

describe('the share of an address', () => {
  for (const [one, other, isOne] of pairs) {
    it(`of ${one} is ${isOne ? '' : 'not '}that of ${other}`, () => {
      const shares = new AddressShares(4, () => false);
      expect(shares.take(one)).to.be.a('function');
      expect(shares.take(other) === null).to.equal(isOne);
    });
  }

  for (const [max, share] of [
    [1, 1],
    [4, 1],
    [5, 2],
    [10_000, 2500],
  ] as const) {
    it(`is ${share} of ${max}`, () => {
      const shares = new AddressShares(max, () => false);
      expect(range(max + 1).filter(() => shares.take('192.0.2.1') !== null)).to.have.lengthOf(share);
    });
  }

  it('comes back with each connection that closes', () => {
    const shares = new AddressShares(8, () => false);
    const [first] = [shares.take('192.0.2.1'), shares.take('192.0.2.1')];
    expect(shares.take('192.0.2.1')).to.equal(null);
    first?.();
    expect([shares.take('192.0.2.1') === null, shares.take('192.0.2.1')]).to.deep.equal([false, null]);
  });

  it('does not bind a trusted proxy', () => {
    const shares = new AddressShares(4, (address) => address === '192.0.2.9');
    expect(range(9).every(() => shares.take('192.0.2.9') !== null)).to.equal(true);
  });
});
