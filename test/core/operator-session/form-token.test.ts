import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { hmac } from '../../../adapters/crypto/node-secrets.ts';
import { formToken, isFormToken } from '../../../core/operator-session/form-token.ts';

describe('the token of the forms of a session', () => {
  it('is an HMAC of the token of the session', () => {
    const expected = createHmac('sha256', 'session').update('form').digest('base64url');
    expect(formToken('session', hmac)).to.equal(expected);
  });

  it('is accepted for its session only', () => {
    const own = formToken('session', hmac);
    expect(isFormToken(own, 'session', hmac)).to.equal(true);
    for (const other of ['', 'session', own.slice(1), `${own}=`, own.toUpperCase(), formToken('another', hmac)]) {
      expect(isFormToken(other, 'session', hmac)).to.equal(false);
    }
  });
});

describe('the HMAC', () => {
  it('is the one that RFC 4231 gives for its second case', () => {
    const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const code = hmac('Jefe', 'what do ya want for nothing?');
    expect(Buffer.from(code, 'base64url').toString('hex')).to.equal(expected);
  });
});
