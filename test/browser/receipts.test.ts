import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type * as Client from '../../client/index.ts';
import { changedBits, receiptCases } from '../support/client/receipt-cases.ts';
import {
  aLicensedEntitlement,
  issuedAt,
  licenseKey,
  receiptClaims,
  ReceiptSigner,
} from '../support/client/receipt-signer.ts';
import { trialCases, trialDeviceId } from '../support/client/trial-receipt-cases.ts';
import { borrowChromium } from './launch-chromium.ts';
import { serveClient, type ClientSite } from './serve-client.ts';

describe('receipts in a page', () => {
  const browser = borrowChromium();
  let site: ClientSite;
  let page: Page;

  before(async () => {
    site = await serveClient();
    page = await browser().newPage();
    await page.goto(site.url);
  });
  after(async () => {
    site.close();
  });

  /** The verdicts of the client of the page, on receipts of licenses or of the trial of a device. */
  async function verdictsOf(
    receipts: readonly string[],
    keys: readonly Client.SigningKey[],
    trial: { readonly trial?: boolean; readonly deviceId?: string } = {},
  ): Promise<readonly string[]> {
    return page.evaluate(
      async ([texts, trusted, now, more]) => {
        const module = '/client/index.ts';
        const { verifyReceipt } = (await import(module)) as typeof Client;
        const options = { keys: trusted, productId: 'prod_1', now: new Date(now), ...more };
        const results = await Promise.all(texts.map((text) => verifyReceipt(text, options)));
        return results.map((result) => (result.verdict === 'valid' ? 'valid' : result.reason));
      },
      [receipts, keys, issuedAt * 1000, trial] as const,
    );
  }

  it('are verified by the Web Crypto of the browser, whatever their form', async () => {
    const { keys, cases } = receiptCases(issuedAt);
    const verdicts = await verdictsOf(
      cases.map(({ receipt }) => receipt),
      keys,
    );
    const told = cases.map(({ title }, index) => [title, verdicts[index]]);
    expect(told).to.deep.equal(cases.map(({ title, expected }) => [title, expected]));
  });

  it('of trials are taken as such, and never for those of licenses', async () => {
    const { keys, cases } = trialCases(issuedAt);
    const receipts = cases.map(({ receipt }) => receipt);
    const asTrials = await verdictsOf(receipts, keys, { trial: true, deviceId: trialDeviceId });
    const told = cases.map(({ title }, index) => [title, asTrials[index] === 'valid' ? 'valid' : 'invalid']);
    expect(told).to.deep.equal(cases.map(({ title, allowed }) => [title, allowed]));
    const ofTrials = cases.filter(({ allowed }) => allowed === 'valid').map(({ receipt }) => receipt);
    expect(await verdictsOf(ofTrials, keys)).to.deep.equal(ofTrials.map(() => 'malformed'));
    const elsewhere = await verdictsOf(ofTrials, keys, { trial: true, deviceId: 'another-machine' });
    expect(elsewhere).to.deep.equal(ofTrials.map(() => 'wrong_device'));
  });

  it('are refused if one bit of them was changed', async () => {
    const signer = new ReceiptSigner();
    const changed = [...changedBits(signer.receipt())].filter((_, index) => index % 5 === 0);
    const verdicts = await verdictsOf(changed, [signer.publicKey]);
    expect(verdicts).to.have.length(changed.length).and.not.to.include('valid');
  });

  it('are kept by a gate in the storage of the page', async () => {
    const signer = new ReceiptSigner();
    const answer = { valid: true, entitlement: aLicensedEntitlement(), success: true };
    const now = Math.floor(Date.now() / 1000);
    const receipt = signer.receipt(receiptClaims({ iat: now, exp: now + 3600 }));
    const told = await page.evaluate(
      async ([body, keys, key]) => {
        const module = '/client/index.ts';
        const { LatchkeyClient, licenseGate } = (await import(module)) as typeof Client;
        let isDown = false;
        const fetch = async () => {
          if (isDown) throw new TypeError('fetch failed');
          return new Response(body);
        };
        const storage = {
          load: () => localStorage.getItem('license'),
          save: (text: string) => localStorage.setItem('license', text),
        };
        const client = new LatchkeyClient({ baseUrl: 'http://licenses.example', fetch });
        const verdictOf = async (each: string) => {
          // A gate for each check, as after a reload of the page.
          const result = await licenseGate({ client, keys, productId: 'prod_1', storage }).check(each);
          return result.verdict === 'unavailable' ? result.receipt : `${result.verdict} ${result.source}`;
        };
        const verdicts = [await verdictOf(key)];
        isDown = true;
        return [...verdicts, await verdictOf(key), await verdictOf('another key')];
      },
      [JSON.stringify({ ...answer, data: { receipt } }), [signer.publicKey], licenseKey] as const,
    );
    expect(told).to.deep.equal(['valid online', 'valid receipt', 'wrong_key']);
  });
});
