import { expect } from 'chai';
import { verifyReceipt, type SigningKey, type VerifyReceiptOptions } from '../../../client/index.ts';
import { later, noon } from '../../support/builders.ts';
import { changedBits, receiptCases } from '../../support/client/receipt-cases.ts';
import {
  aLicensedEntitlement,
  issuedAt,
  issuer,
  licenseKey,
  receiptClaims,
  ReceiptSigner,
} from '../../support/client/receipt-signer.ts';
import { thrownBy } from '../../support/thrown.ts';

const signer = new ReceiptSigner();
const options = { keys: [signer.publicKey], productId: 'prod_1', now: noon };

async function verdictOf(receipt: string, others: Partial<VerifyReceiptOptions> = {}): Promise<string> {
  const result = await verifyReceipt(receipt, { ...options, ...others });
  return result.verdict === 'valid' ? 'valid' : result.reason;
}

describe('verifyReceipt', () => {
  const { keys, cases } = receiptCases(issuedAt);
  for (const { title, receipt, expected } of cases) {
    it(`says ${expected} of ${title}`, async () => {
      expect(await verdictOf(receipt, { keys })).to.equal(expected);
    });
  }

  it('returns the entitlement, the mode and the times', async () => {
    expect(await verifyReceipt(signer.receipt(), options)).to.deep.equal({
      verdict: 'valid',
      entitlement: aLicensedEntitlement(),
      mode: 'online',
      issuedAt: '2026-07-18T12:00:00.000Z',
      refreshAfter: '2026-07-25T12:00:00.000Z',
      expiresAt: '2026-08-01T12:00:00.000Z',
    });
  });

  it('takes a mode that it does not know for online', async () => {
    for (const mode of ['offline', 'online', 'later', undefined]) {
      const result = await verifyReceipt(signer.receipt(receiptClaims({ mode })), options);
      expect(result).to.include({ verdict: 'valid', mode: mode === 'offline' ? 'offline' : 'online' });
    }
  });

  it('refuses every receipt of which one bit was changed', async () => {
    const passed: string[] = [];
    let count = 0;
    for (const changed of changedBits(signer.receipt())) {
      count += 1;
      if ((await verdictOf(changed)) === 'valid') passed.push(changed);
    }
    expect(passed).to.deep.equal([]);
    expect(count).to.be.above(4000);
  });

  it('finds the reasons in their order', async () => {
    const ahead = { iat: issuedAt + 100_000, exp: issuedAt };
    const others = { keys, issuer: 'https://other.example', productId: 'prod_2', licenseKey: 'another key' };
    const wrong = signer.receipt(receiptClaims({ ...ahead, entitlement: null }));
    expect(await verdictOf(wrong, others)).to.equal('unknown_signing_key');
    const own = { ...others, keys: options.keys };
    expect(await verdictOf(`${wrong.slice(0, -86)}${'A'.repeat(86)}`, own)).to.equal('bad_signature');
    expect(await verdictOf(wrong, own)).to.equal('malformed');
    const receipt = signer.receipt(receiptClaims(ahead));
    expect(await verdictOf(receipt, own)).to.equal('wrong_issuer');
    expect(await verdictOf(receipt, { ...own, issuer })).to.equal('wrong_product');
    expect(await verdictOf(receipt, { ...own, issuer, productId: 'prod_1' })).to.equal('wrong_key');
    expect(await verdictOf(receipt, { ...own, issuer, productId: 'prod_1', licenseKey })).to.equal('clock_set_back');
    expect(await verdictOf(signer.receipt(receiptClaims({ exp: issuedAt })))).to.equal('expired');
  });

  it('shows the entitlement of a genuine receipt only', async () => {
    const entitlement = aLicensedEntitlement();
    const expired = signer.receipt(receiptClaims({ exp: issuedAt }));
    expect(await verifyReceipt(expired, options)).to.deep.equal({ verdict: 'invalid', reason: 'expired', entitlement });
    expect(await verifyReceipt(expired, { ...options, productId: 'prod_2' })).to.deep.equal({
      verdict: 'invalid',
      reason: 'wrong_product',
      entitlement: null,
    });
  });

  it('takes a JWKS, the array of its keys, and keys of other kinds among them', async () => {
    const { x, y, kid } = signer.publicKey;
    const others: readonly SigningKey[] = [
      { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid },
      { kty: 'oct', k: x, kid },
      { kty: 'EC', crv: 'P-384', x, y, kid },
      { ...signer.publicKey, use: 'enc' },
      { ...signer.publicKey, alg: 'ES384' },
    ];
    expect(await verdictOf(signer.receipt(), { keys: { keys: [...others, signer.publicKey] } })).to.equal('valid');
    expect(await verdictOf(signer.receipt(), { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid }] })).to.equal('valid');
    for (const key of [...others, { ...signer.publicKey, x: y }, { ...signer.publicKey, y: undefined }])
      expect(await verdictOf(signer.receipt(), { keys: [key] }), JSON.stringify(key)).to.equal('unknown_signing_key');
  });

  it('throws for options that it cannot use', async () => {
    const wrong: readonly object[] = [
      { keys: undefined },
      { keys: null },
      { keys: [] },
      { keys: {} },
      { keys: { keys: [] } },
      { keys: JSON.stringify({ keys }) },
      { productId: undefined },
      { productId: '' },
      { now: new Date(Number.NaN) },
      { lastSeen: new Date('yesterday') },
    ];
    for (const each of wrong)
      expect(await thrownBy(verdictOf(signer.receipt(), each)), JSON.stringify(each)).to.be.instanceOf(TypeError);
  });

  it('refuses what is no text, and a license key or an issuer that is none', async () => {
    for (const receipt of [undefined, null, 7, {}, [signer.receipt()]])
      expect(await verdictOf(receipt as string)).to.equal('malformed');
    expect(await verdictOf(signer.receipt(), { licenseKey: '' })).to.equal('wrong_key');
    expect(await verdictOf(signer.receipt(), { licenseKey: null as unknown as string })).to.equal('wrong_key');
    expect(await verdictOf(signer.receipt(), { issuer: null as unknown as string })).to.equal('wrong_issuer');
  });

  it('sends no request', async () => {
    const { fetch } = globalThis;
    globalThis.fetch = () => Promise.reject(new Error('a request'));
    try {
      expect(await verdictOf(signer.receipt(), { issuer, licenseKey, now: later(1) })).to.equal('valid');
    } finally {
      globalThis.fetch = fetch;
    }
  });
});
