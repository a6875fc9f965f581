import { expect } from 'chai';
import {
  aboutRule,
  endedAffiliate,
  erasedAffiliate,
  foldedHandle,
  handleRule,
  withFacts,
} from '../../../core/affiliate/affiliate.ts';
import { anAffiliate } from '../../support/affiliates/builders.ts';

describe('an affiliate', () => {
  it('has a handle of 3 to 30 characters, without a character that ends it in a link', () => {
    const good = ['ada', '0-1', 'a--b', 'a'.repeat(30), 'viable', 'a-via'];
    // `via_…` begins every reference of a link.
    const bad = ['', 'ab', 'via', 'a'.repeat(31), 'Ada', 'a_b', 'a.b', '-ada', 'ada-', 'ädä', 'ada\n', 'a b'];
    expect([...good, ...bad].filter((handle) => handleRule.parse(handle) !== null)).to.deep.equal(good);
  });

  it('gets a handle from what was written on the waitlist', () => {
    const written = [' @Ada_Lovelace ', '@ ada', 'ada.love lace', 'ADA', '@@ada'];
    expect(written.map(foldedHandle)).to.deep.equal(['ada-lovelace', 'ada', 'ada-love-lace', 'ada', '@ada']);
  });

  it('has a text of a limited length', () => {
    expect(aboutRule.parse('One\r\ntwo\t')).to.equal('One\ntwo\t');
    expect(aboutRule.parse('🎉'.repeat(300))).to.equal('🎉'.repeat(300));
    for (const text of ['x'.repeat(301), ' \n', 'a\u0007b', '\ud800', 'a\u202eb'])
      expect(aboutRule.parse(text)).to.equal(null);
  });

  it('has other facts and a revision more, or is as it was', () => {
    const ada = anAffiliate();
    const { handle: _handle, state: _state, createdAt: _createdAt, revision: _revision, ...facts } = ada;
    expect(withFacts(ada, facts)).to.equal(ada);
    for (const change of [{ name: 'A' }, { email: 'a@b.example' }, { about: 'a' }, { url: 'u' }, { payTo: 'p' }]) {
      expect(withFacts(ada, { ...facts, ...change })).to.deep.equal({ ...ada, ...change, revision: 2 });
    }
  });

  it('ends once, and keeps nothing personal once it is erased', () => {
    const ada = anAffiliate({ about: 'a', url: 'https://ada.example/', payTo: 'IBAN' });
    const ended = endedAffiliate(ada);
    expect(ended).to.deep.equal({ ...ada, state: 'ended', revision: 2 });
    expect(endedAffiliate(ended)).to.equal(ended);
    const erased = erasedAffiliate(ended);
    const nothing = { name: 'ada', email: null, about: null, url: null, payTo: null };
    expect(erased).to.deep.equal({ ...ended, ...nothing, revision: 3 });
    expect(erasedAffiliate(erased)).to.equal(erased);
  });
});
