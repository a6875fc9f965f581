import { expect } from 'chai';
import { asyncProperty, assert as check, constantFrom, mixedCase, oneof, string, tuple } from 'fast-check';
import { randomBytes } from '../../../adapters/crypto/node-secrets.ts';
import { verifyReceipt } from '../../../client/index.ts';
import { generateLicenseKey, licenseKeyIdentity } from '../../../core/license/license-key.ts';
import { noon } from '../../support/builders.ts';
import { digestOf, receiptClaims, ReceiptSigner } from '../../support/client/receipt-signer.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';

const signer = new ReceiptSigner();
const issued = range(20).map(() => generateLicenseKey(randomBytes));
const imported = ['ACME-PRO-2024-ÄÖÜ-☃', 'lk-of-another-vendor-0001', 'a key  with - spaces'];
/** Imported keys that look like issued ones, with another check symbol. */
const alike = [`LK${'0'.repeat(29)}1`, `lk-${'0'.repeat(29)}1`];

/** Whether a receipt of the license with the key `own` is one for `typed`. */
async function fits(own: string, typed: string): Promise<boolean> {
  const options = { keys: [signer.publicKey], productId: 'prod_1', now: noon, licenseKey: typed };
  const result = await verifyReceipt(signer.receipt(receiptClaims({ key: digestOf(own) })), options);
  return result.verdict === 'valid';
}

/** Spellings of one key: some are the same to the service, and some are not. */
function spellingsOf(key: string) {
  const words = [key, key.replaceAll('-', ''), key.replaceAll('-', ' '), key.replaceAll('0', 'o'), key.slice(0, -1)];
  const others = [key.replaceAll('1', 'I'), key.replaceAll('1', 'l'), key.replaceAll('2', 'Z'), `${key}0`];
  const spaces = constantFrom('', ' ', '\n', '\t ', '\u00A0', '\u200B', '"', '\u201D');
  const word = mixedCase(constantFrom(...words, ...others));
  const bent = tuple(word, constantFrom('-', '\u2013', '\uFF0D', '\u00AD-\n', '=')).map(([text, hyphen]) =>
    text.replace('-', hyphen),
  );
  return tuple(spaces, bent, spaces).map((parts) => parts.join(''));
}

describe('the license key of a receipt', () => {
  it('fits in the spellings of an issued key that the service accepts', async () => {
    const [key = ''] = issued;
    const bare = key.replaceAll('-', '');
    for (const typed of [
      key,
      bare,
      key.toLowerCase(),
      ` ${key}\n`,
      bare.replace(/(..)/g, '$1 '),
      key.replaceAll('0', 'O'),
    ])
      expect(await fits(key, typed), typed).to.equal(true);
    for (const typed of ['', key.slice(0, -1), `${key}0`, issued[1] ?? '', bare.slice(2)])
      expect(await fits(key, typed), typed).to.equal(false);
  });

  it('folds the case of ASCII alone', async () => {
    const own = `LK${'0'.repeat(26)}1SFT`;
    for (const [letter, typed] of ['1\u0131', 'S\u017F', 'F\uFB00'])
      expect(await fits(own, own.replace(letter ?? '', typed ?? '')), typed).to.equal(false);
    expect(await fits(own, own.toLowerCase())).to.equal(true);
  });

  it('fits as it is, for a key that was imported', async () => {
    for (const key of imported) {
      expect(await fits(key, `\n${key} `), key).to.equal(true);
      expect(await fits(key, `x${key}`), key).to.equal(false);
      if (key.toLowerCase() !== key) expect(await fits(key, key.toLowerCase()), key).to.equal(false);
    }
  });

  it('needs no check symbol', async () => {
    for (const key of alike) expect(await fits(key, key)).to.equal(true);
    // The service takes these for two keys. The owner of one lacks nothing that the other would give.
    expect(await fits(alike[0] ?? '', alike[1] ?? '')).to.equal(true);
    expect(await fits(alike[1] ?? '', alike[0] ?? '')).to.equal(false);
  });

  it('fits exactly where the service finds the license', async () => {
    const typed = oneof(
      ...[...issued, ...imported, ...alike].map((key) => spellingsOf(key)),
      string({ unit: 'binary' }),
    );
    await check(
      asyncProperty(constantFrom(...issued, ...imported), typed, async (own, spelling) => {
        const isFound = licenseKeyIdentity(own) === licenseKeyIdentity(spelling);
        expect(await fits(own, spelling)).to.equal(isFound);
      }),
      { numRuns: rounds(500, 20_000) },
    );
  });

  it('fits each spelling of the same key', async () => {
    for (const key of issued) {
      await check(
        asyncProperty(spellingsOf(key), async (spelling) => {
          expect(await fits(key, spelling)).to.equal(licenseKeyIdentity(spelling) === licenseKeyIdentity(key));
        }),
        { numRuns: rounds(20, 500) },
      );
    }
  });
});
