import { expect } from 'chai';
import { greetingName } from '../../../adapters/mail/smtp-name.ts';
import { portAdvice } from '../../../adapters/mail/smtp-ports.ts';

describe('portAdvice', () => {
  it('says what to write for a port of the other scheme, and of another protocol', () => {
    const rows = [
      [465, 'starttls', /^Port 465 begins with TLS: write smtps:/],
      [465, 'plain', /^Port 465 begins with TLS: write smtps:/],
      [587, 'tls', /^Port 587 begins without TLS: write smtp:/],
      [25, 'tls', /^Port 25 begins without TLS: write smtp:/],
      [993, 'tls', /is for reading mail/],
      [110, 'starttls', /is for reading mail/],
    ] as const;
    for (const [port, security, advice] of rows) expect(portAdvice({ port, security })).to.match(advice);
  });

  it('says nothing of the right scheme, and of other ports', () => {
    const right = [
      [465, 'tls'],
      [587, 'starttls'],
      [25, 'plain'],
      [2465, 'tls'],
      [1025, 'plain'],
    ] as const;
    for (const [port, security] of right) expect(portAdvice({ port, security })).to.equal(null);
  });
});

describe('greetingName', () => {
  const rows: readonly (readonly [url: string, address: string, name: string | null])[] = [
    ['https://licenses.shop.example', 'keys@shop.example', 'licenses.shop.example'],
    ['https://licenses.shop.example:8443', 'keys@other.example', 'licenses.shop.example'],
    ['https://LICENSES.Shop.example./', 'keys@other.example', 'licenses.shop.example'],
    ['https://lizenzen.bücher.example', 'keys@other.example', 'lizenzen.xn--bcher-kva.example'],
    ['http://127.0.0.1:8080', 'keys@shop.example', 'shop.example'],
    ['http://[::1]:8080', 'keys@shop.example', 'shop.example'],
    ['http://192.0.2.1', 'keys@shop.example', 'shop.example'],
    ['http://localhost:3000', 'keys@bücher.example', 'xn--bcher-kva.example'],
    ['http://app.localhost:3000', 'keys@shop.example', 'shop.example'],
    ['http://latchkey:3000', 'keys@shop.example', 'shop.example'],
    ['http://my_host.internal', 'keys@shop.example', 'shop.example'],
    ['http://localhost', 'keys@localhost', null],
    ['http://localhost', 'keys@[192.0.2.1]', null],
  ];
  for (const [url, address, name] of rows) {
    it(`is ${name ?? 'unknown'} for ${url} and ${address}`, () => {
      expect(greetingName(url, address)).to.equal(name);
    });
  }
});
