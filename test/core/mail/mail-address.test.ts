import { expect } from 'chai';
import { addressPattern, isMailAddress, maxAddressLength, readMailbox } from '../../../core/mail/mail-address.ts';
import { isDeliverable } from '../../../core/waitlist/sign-up.ts';

const label = 'a'.repeat(63);

describe('an address of mail', () => {
  for (const address of [
    'ada@example.com',
    "o'hara+list=1@mail.example.co.uk",
    'a@b.cd',
    'ADA@EXAMPLE.COM',
    'a..b@docomo.example',
    `${'x'.repeat(64)}@example.com`,
    `a@${label}.${label}.${label}.${'b'.repeat(58)}`,
    'a@xn--bcher-kva.example',
  ]) {
    it(`may be ${address.slice(0, 40)}`, () => {
      expect([isMailAddress(address), isDeliverable(address)]).to.deep.equal([true, true]);
      expect(new RegExp(addressPattern).test(address)).to.equal(true);
    });
  }

  for (const address of [
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@192.0.2.1',
    'ada@[192.0.2.1]',
    'ada@example.com, bob@example.com',
    'ada@example.com\r\nRCPT TO:<bob@example.com>',
    'ada@example.com\n',
    ' ada@example.com',
    'a da@example.com',
    '"ada b"@example.com',
    '<ada@example.com>',
    '.ada@example.com',
    'ada.@example.com',
    'zoë@example.com',
    'ada@bücher.example',
    'ada\u0000@example.com',
    `${'x'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.example`,
    `${'x'.repeat(64)}@${label}.${label}.${label}.example`,
  ]) {
    it(`is not ${JSON.stringify(address.slice(0, 50))}`, () => expect(isMailAddress(address)).to.equal(false));
  }

  it('has 254 characters at most', () => {
    const longest = `${'x'.repeat(64)}@${label}.${label}.${'b'.repeat(61)}`;
    expect(longest).to.have.length(maxAddressLength);
    expect([isMailAddress(longest), isMailAddress(`${longest}c`)]).to.deep.equal([true, false]);
  });
});

describe('a mailbox', () => {
  it('is an address, or one with a name', () => {
    const address = 'keys@shop.example';
    expect(readMailbox(address)).to.deep.equal({ address, name: null });
    for (const [text, name] of [
      [`Shop <${address}>`, 'Shop'],
      [`"Shop, Inc." <${address}>`, 'Shop, Inc.'],
      [`Zoë’s Shop 図<${address}>`, 'Zoë’s Shop 図'],
      [`${'x'.repeat(100)} <${address}>`, 'x'.repeat(100)],
    ] as const) {
      expect(readMailbox(text)).to.deep.equal({ address, name });
    }
    for (const text of [
      `<${address}>`,
      `"" <${address}>`,
      `Shop ${address}`,
      `A <${address}> b`,
      `A\n <${address}>`,
      `A <${address}`,
      `A> B <${address}>`,
      `A "B" <${address}>`,
      `"A" B <${address}>`,
      `" " <${address}>`,
      `${'x'.repeat(101)} <${address}>`,
    ]) {
      expect(readMailbox(text), text).to.equal(null);
    }
  });
});
