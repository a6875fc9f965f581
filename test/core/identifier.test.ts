import { expect } from 'chai';
import { isIdentifier } from '../../core/identifier.ts';

describe('isIdentifier', () => {
  it('accepts 1 to 128 letters, digits and . _ ~ -', () => {
    const texts = ['a', 'A.z_0~-9', '-', '..', 'x'.repeat(128)];
    expect(texts.filter((text) => !isIdentifier(text))).to.deep.equal([]);
  });

  it('refuses everything else', () => {
    const texts = ['', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a\n', '\na', '%20', '$a', 'a\u0000'];
    expect(texts.filter(isIdentifier)).to.deep.equal([]);
  });
});
