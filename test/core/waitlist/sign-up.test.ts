import { expect } from 'chai';
import { addressOf, emailAddressRule, isDeliverable } from '../../../core/waitlist/sign-up.ts';

const label = (length: number): string => 'd'.repeat(length);

describe('an e-mail address', () => {
  it('is deliverable up to each maximum length', () => {
    const lengths: readonly [accepted: string, refused: string][] = [
      [`${label(64)}@example.com`, `${label(65)}@example.com`],
      [`a@${label(63)}.com`, `a@${label(64)}.com`],
      [`a@${[63, 63, 63, 60].map(label).join('.')}`, `a@${[63, 63, 63, 61].map(label).join('.')}`],
      [`a@${[63, 63, 63, 57].map(label).join('.')}.ab`, `a@${[63, 63, 63, 58].map(label).join('.')}.ab`],
      [`${label(64)}@${[63, 63, 61].map(label).join('.')}`, `${label(64)}@${[63, 63, 62].map(label).join('.')}`],
    ];
    expect(lengths.map(([accepted]) => isDeliverable(accepted))).to.deep.equal(lengths.map(() => true));
    expect(lengths.map(([, refused]) => isDeliverable(refused))).to.deep.equal(lengths.map(() => false));
  });

  it('has no white space around it', () => {
    const padded = [' a@example.com', 'a@example.com ', 'a@example.com\n', '\u00a0a@example.com'];
    expect(padded.map(isDeliverable)).to.deep.equal([false, false, false, false]);
  });

  it('has a last label that is not a number', () => {
    const numeric = ['a@example.123', 'a@127.0.0.1', 'a@123'];
    expect(numeric.map(isDeliverable)).to.deep.equal([false, false, false]);
    const others = ['a@1.2x', 'a@1.x2', 'a@example.1.com'];
    expect(others.map(isDeliverable)).to.deep.equal([true, true, true]);
  });

  it('has the part after its last at sign as its domain', () => {
    expect(['"a@b"@example.com', '"a@example.com"@1'].map(isDeliverable)).to.deep.equal([true, false]);
    expect(isDeliverable(`"a@${'b.'.repeat(30)}"@example.com`)).to.equal(true);
    expect(isDeliverable(`"a@${'b.'.repeat(31)}"@example.com`)).to.equal(false);
  });

  it('has a local part, a domain and no empty label', () => {
    const broken = ['', '@', 'a@', '@example.com', 'a', 'a@example..com', 'a@.com', 'a@example.'];
    expect(broken.map(isDeliverable)).to.deep.equal(broken.map(() => false));
  });
});

describe('the address of an entry', () => {
  it('is the same for every case of an e-mail address', () => {
    const spellings = ['ada@example.com', 'Ada@Example.COM', 'ADA@EXAMPLE.COM'];
    expect(spellings.map(addressOf)).to.deep.equal(spellings.map(() => 'ada@example.com'));
  });
});

describe('the rule for e-mail addresses', () => {
  it('accepts a text with one at sign between texts without white space', () => {
    const addresses = ['a@b', 'Ada@Example.com', 'ada@localhost'];
    expect(addresses.map(emailAddressRule.parse)).to.deep.equal(addresses);
    const others = ['', 'ada', '@b', 'a@', 'a@b@c', 'a @b', 'a b@c', 'a@b c', ' a@b', 'a@b\n', '\t@b', 'a@\t'];
    expect(others.map(emailAddressRule.parse)).to.deep.equal(others.map(() => null));
  });

  it('says what an address must have', () => {
    expect(emailAddressRule.rule).to.equal('must have an @ and no white space');
  });
});
