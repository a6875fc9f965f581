import { expect } from 'chai';
import { identifierRule, isIdentifier } from '../../core/identifier.ts';

describe('isIdentifier', () => {
  it('accepts 1 to 128 letters, digits and . _ ~ -, but no segment that clients remove from paths', () => {
    const texts = ['a', 'A.z_0~-9', '-', '...', '.a', '..a', '.'.repeat(128), 'x'.repeat(128)];
    expect(texts.filter((text) => !isIdentifier(text))).to.deep.equal([]);
  });

  it('refuses everything else', () => {
    const texts = ['', '.', '..', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a\n', '\na', '%20', '$a', 'a\u0000'];
    expect(texts.filter(isIdentifier)).to.deep.equal([]);
  });
});

describe('the rule for identifiers', () => {
  it('accepts identifiers, and says what they are', () => {
    expect(['a-1', 'a 1'].map(identifierRule.parse)).to.deep.equal(['a-1', null]);
    expect(identifierRule.rule).to.equal(
      'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-", and neither "." nor ".."',
    );
  });
});
