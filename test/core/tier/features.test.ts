import { expect } from 'chai';
import {
  featureChangeRule,
  featureLinesRule,
  featureNameRule,
  featureNamesRule,
  featureRule,
  featuresRule,
} from '../../../core/tier/features.ts';

const given = (name: string, value: unknown): object => Object.fromEntries([[name, value]]);

describe('features named as what every object has', () => {
  const members = Object.getOwnPropertyNames(Object.prototype);

  it('are declared in no way', () => {
    expect(members).to.include.members(['constructor', '__proto__', 'toString']);
    for (const name of members) {
      const read = [
        featureRule.parse(`${name}=true`),
        featureLinesRule.parse(`sso=true\n${name}=true`),
        featuresRule.read(given(name, true)),
        featureChangeRule.read(given(name, true)),
      ];
      expect(read, name).to.deep.equal([null, null, null, null]);
    }
    expect(featuresRule.rule).to.include('but not constructor');
  });

  it('are removed where an earlier release has declared them', () => {
    expect(featureChangeRule.read(given('constructor', null))).to.deep.equal(given('constructor', null));
    expect(featureNameRule.parse('constructor')).to.equal('constructor');
    expect(featureNamesRule.read(['constructor'])).to.deep.equal(['constructor']);
  });

  it('are no others', () => {
    for (const name of ['construct', 'constructors', 'length', 'then', 'to_string', 'proto']) {
      expect(featuresRule.read(given(name, 1)), name).to.deep.equal(given(name, 1));
      expect(featureRule.parse(`${name}=1`), name).to.deep.equal([name, 1]);
    }
  });
});
