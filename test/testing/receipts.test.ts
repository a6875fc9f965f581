import { expect } from 'chai';
import * as fc from 'fast-check';
import { LatchkeyAdmin } from '../../client/admin/index.ts';
import { verifyReceipt, type ReceiptVerification, type SigningKeySet } from '../../client/index.ts';
import { startLatchkey, type Granted, type GrantOptions, type Latchkey } from '../../testing/index.ts';
import { day, hour } from '../support/builders.ts';
import { claimsOf, isSignedByOneOf } from '../support/receipts/read-receipt.ts';
import { rounds } from '../support/run/long-runs.ts';

const start = Date.parse('2026-01-31T00:00:00Z');

/** A change of a license after its receipt was issued. */
type Step = readonly [kind: 'cancel' | 'advance', hours: number];

/** An entitlement, and its changes before a receipt is asked for. */
interface Life {
  readonly grant: Omit<GrantOptions, 'productId' | 'id'>;
  readonly before: readonly Step[];
}

const life: fc.Arbitrary<Life> = fc.record({
  grant: fc
    .record({
      billingInterval: fc.constantFrom('day', 'week', 'month', 'year', 'one_time'),
      status: fc.constantFrom('trialing', 'active', 'past_due'),
      grace: fc.constantFrom('0s', '90s', '24h', '30d'),
    })
    .map(({ grace, ...terms }) => (terms.billingInterval === 'one_time' ? terms : { ...terms, grace })),
  before: fc.array(
    fc.oneof(
      fc.tuple(fc.constant('cancel' as const), fc.constant(0)),
      fc.tuple(fc.constant('advance' as const), fc.integer({ min: 0, max: 40 * 24 })),
    ),
    { maxLength: 4 },
  ),
});

describe('receipts in startLatchkey', () => {
  let latchkey: Latchkey;
  before(async () => {
    latchkey = await startLatchkey({ now: new Date(start) });
  });
  beforeEach(() => latchkey.clock.set(new Date(start)));
  after(() => latchkey.stop());

  async function receiptOf({ licenseKey }: Granted): Promise<string | null> {
    const answer = await fetch(`${latchkey.url}/api/licenses/receipt`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ licenseKey }),
    });
    expect(answer.status).to.be.oneOf([200, 409]);
    const { data } = (await answer.json()) as { readonly data?: { readonly receipt: string } };
    return data?.receipt ?? null;
  }

  it('follow its clock, and are signed by its keys', async () => {
    const granted = await latchkey.grant({ productId: 'sketchpad' });
    const keys = (await (await fetch(`${latchkey.url}/.well-known/jwks.json`)).json()) as { readonly keys: object[] };
    for (const days of [0, 10]) {
      await latchkey.clock.set(new Date(start + days * day));
      const receipt = (await receiptOf(granted)) ?? expect.fail();
      expect(claimsOf(receipt)).to.include({
        iat: (start + days * day) / 1000,
        iss: latchkey.url,
        sub: granted.entitlement.id,
      });
      expect(isSignedByOneOf(receipt, keys)).to.equal(true);
    }
  });

  it('are fetched and verified by its client, until they are over by its clock', async () => {
    const { licenseKey, entitlement } = await latchkey.grant({ productId: 'sketchpad', billingInterval: 'week' });
    const { licenses } = latchkey.client('sketchpad');
    const { receipt, expiresAt } = await licenses.receipt(licenseKey, { productId: 'sketchpad' });
    const { keys } = (await (await fetch(`${latchkey.url}/.well-known/jwks.json`)).json()) as SigningKeySet;
    const verify = (now: Date): Promise<ReceiptVerification> =>
      verifyReceipt(receipt, { keys, productId: 'sketchpad', licenseKey, issuer: latchkey.url, now });
    expect(await verify(latchkey.clock.now())).to.include({ verdict: 'valid', mode: 'online', expiresAt });
    await latchkey.clock.set(new Date(start + 8 * day));
    expect(await verify(latchkey.clock.now())).to.deep.include({ verdict: 'invalid', reason: 'expired' });
    expect((await licenses.verify(licenseKey)).verdict).to.equal('invalid');
    expect(expiresAt).to.equal(new Date(Date.parse(entitlement.currentPeriodEnd ?? '') + day).toISOString());
  });

  it('of an earlier key are published until they are over, by its clock', async () => {
    const { signingKeys } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    const kids = async (): Promise<readonly string[]> => {
      const answer = await fetch(`${latchkey.url}/.well-known/jwks.json`);
      return ((await answer.json()) as { readonly keys: readonly { readonly kid: string }[] }).keys.map(
        ({ kid }) => kid,
      );
    };
    const [active] = await kids();
    await signingKeys.rotate({ from: active });
    await latchkey.clock.set(new Date(start + 90 * day - 1));
    expect(await kids()).to.include(active);
    await latchkey.clock.set(new Date(start + 90 * day));
    expect(await kids()).not.to.include(active);
  });

  it('never outlive access but by a later change', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(life, async ({ grant, before }) => {
        await latchkey.clock.set(new Date(start));
        const granted = await latchkey.grant({ productId: 'sketchpad', id: `ent_life_${(number += 1)}`, ...grant });
        const { entitlements, licenses } = latchkey.client('sketchpad');
        for (const [kind, hours] of before) {
          if (kind === 'advance') await latchkey.clock.set(new Date(latchkey.clock.now().getTime() + hours * hour));
          else await entitlements.cancel(granted.entitlement.id).catch(() => null);
        }
        const isValid = async (): Promise<boolean> => (await licenses.verify(granted.licenseKey)).verdict === 'valid';
        const receipt = await receiptOf(granted);
        // A receipt holds for whole seconds: there may be none in the last one of an access.
        if (receipt === null) {
          await latchkey.clock.set(new Date(latchkey.clock.now().getTime() + 1000));
          expect(await isValid()).to.equal(false);
          return;
        }
        expect(await isValid()).to.equal(true);
        const end = Number(claimsOf(receipt)['exp']) * 1000;
        await latchkey.clock.set(new Date(end - 1));
        expect(await isValid(), 'a millisecond before the end').to.equal(true);
      }),
      { numRuns: rounds(60, 2000) },
    );
  });
});
