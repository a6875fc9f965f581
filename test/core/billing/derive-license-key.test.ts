import { expect } from 'chai';
import { hmac } from '../../../adapters/crypto/node-secrets.ts';
import { derivedLicenseKey } from '../../../core/billing/derive-license-key.ts';
import { hasIssuedForm, isIssuedKey } from '../../../core/license/license-key.ts';
import { range } from '../../support/range.ts';

const secret = { secret: 'a secret of tests' };

describe('a derived license key', () => {
  it('never changes, because a buyer keeps it', () => {
    expect(derivedLicenseKey(secret, 'sub_1', hmac)).to.equal('LK-X9F23-GYAMF-305ZH-TEYHP-Q6ADE-RYK38');
  });

  it('has the form of a random one', () => {
    for (const number of range(200)) {
      const key = derivedLicenseKey(secret, `sub_${number}`, hmac);
      expect(key).to.match(/^LK(?:-[0-9A-Z]{5}){6}$/);
      expect([hasIssuedForm(key), isIssuedKey(key)]).to.deep.equal([true, true]);
    }
  });

  it('depends on the entitlement and on the secret', () => {
    const keys = range(200).flatMap((number) => [
      derivedLicenseKey(secret, `sub_${number}`, hmac),
      derivedLicenseKey({ secret: 'another' }, `sub_${number}`, hmac),
    ]);
    expect(new Set(keys).size).to.equal(400);
  });

  it('uses every symbol at every place', () => {
    const bodies = range(2000).map((number) => derivedLicenseKey(secret, `sub_${number}`, hmac).slice(3));
    for (const place of range(35)) {
      const symbols = new Set(bodies.map((body) => body.charAt(place)));
      expect(symbols.size).to.equal(place % 6 === 5 ? 1 : 32);
    }
  });
});
