import { expect } from 'chai';
import * as fc from 'fast-check';
import { verificationBody } from '../../../adapters/http/operations/views.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { givesAccess, statusAt } from '../../../core/entitlement/status.ts';
import { maxIdentifierLength } from '../../../core/identifier.ts';
import { defaultReceiptTtl, receiptTerms, writeReceipt, type ReceiptFacts } from '../../../core/receipt/receipt.ts';
import { allowanceOf } from '../../../core/tier/allowance.ts';
import { aOneTimePurchase, aSubscription, day, hour, later, noon } from '../../support/builders.ts';
import { aFreshRing } from '../../support/receipts/key-rings.ts';
import { decoded, readableSignature } from '../../support/receipts/read-receipt.ts';

const minute = 60_000;

/** Milliseconds around noon, also those that are no whole seconds. */
const offset = fc.integer({ min: -40 * day, max: 40 * day });
const duration = fc.integer({ min: 1, max: 90 * day });
const hold = fc.constantFrom<Entitlement['hold']>(
  { kind: 'none' },
  { kind: 'none' },
  { kind: 'suspended' },
  { kind: 'revoked', at: later(-day) },
);
const standing = fc.constantFrom<Entitlement['standing']>('trialing', 'active', 'past_due');

const subscription = fc
  .record({
    hold,
    standing,
    end: offset,
    grace: fc.integer({ min: 0, max: 10 * day }),
    cancel: fc.option(offset),
    unpaid: fc.option(offset),
  })
  .map(({ hold: held, standing: paid, end, grace, cancel, unpaid }) =>
    aSubscription({
      hold: held,
      standing: paid,
      currentPeriodEnd: later(end),
      graceUntil: later(end + grace),
      cancellation: cancel === null ? null : { at: later(cancel), requestedAt: later(-50 * day) },
      unpaidUntil: unpaid === null ? null : later(unpaid),
    }),
  );
const purchase = fc
  .record({ hold, standing, end: fc.option(offset) })
  .map(({ hold: held, standing: paid, end }) =>
    aOneTimePurchase({ hold: held, standing: paid, accessEndsAt: end === null ? null : later(end) }),
  );
const entitlement: fc.Arbitrary<Entitlement> = fc.oneof({ weight: 4, arbitrary: subscription }, purchase);

describe('the terms of a receipt', () => {
  it('never outlive access: there is some at every instant until they end', () => {
    fc.assert(
      fc.property(entitlement, duration, offset, fc.double({ min: 0, max: 1, noNaN: true }), (one, ttl, at, part) => {
        const terms = receiptTerms(one, ttl, later(at));
        if (terms === null) return;
        const length = terms.expiresAt.getTime() - later(at).getTime();
        const instant = new Date(later(at).getTime() + Math.floor(part * (length - 1)));
        expect(givesAccess(statusAt(one, instant))).to.equal(true);
      }),
    );
  });

  it('end at the earliest of the longest time, the scheduled end and the period with its grace, in whole seconds', () => {
    fc.assert(
      fc.property(entitlement, duration, offset, (one, ttl, at) => {
        const now = later(at);
        const ends = [now.getTime() + ttl];
        if (one.kind === 'one_time' && one.accessEndsAt !== null) ends.push(one.accessEndsAt.getTime());
        if (one.kind === 'subscription') {
          ends.push(one.graceUntil.getTime(), one.unpaidUntil?.getTime() ?? Number.POSITIVE_INFINITY);
        }
        if (one.kind === 'subscription' && one.cancellation !== null) ends.push(one.cancellation.at.getTime());
        const [iat, exp] = [now.getTime(), Math.min(...ends)].map((instant) => Math.floor(instant / 1000));
        if (iat === undefined || exp === undefined) throw new Error('both are known');
        const expected =
          givesAccess(statusAt(one, now)) && exp > iat
            ? {
                issuedAt: new Date(iat * 1000),
                refreshAfter: new Date(((iat + exp) / 2) * 1000),
                expiresAt: new Date(exp * 1000),
              }
            : null;
        expect(receiptTerms(one, ttl, now)).to.deep.equal(expected);
      }),
    );
  });

  it('are those of a trial as of any other subscription', () => {
    const [trial, paid] = (['trialing', 'active'] as const).map((one) => aSubscription({ standing: one }));
    if (trial === undefined || paid === undefined) throw new Error('both are built');
    expect(receiptTerms(trial, 30 * day, noon)).to.deep.equal(receiptTerms(paid, 30 * day, noon));
  });

  it('are the longest time alone for a one-time purchase', () => {
    expect(receiptTerms(aOneTimePurchase(), 90 * day, noon)).to.deep.equal({
      issuedAt: noon,
      refreshAfter: later(45 * day),
      expiresAt: later(90 * day),
    });
  });

  it('are none where they would end in the second in which they begin', () => {
    expect(termsUntil(later(999), noon)).to.equal(null);
    expect(termsUntil(later(1000), later(1))).to.deep.equal({
      issuedAt: noon,
      refreshAfter: later(500),
      expiresAt: later(1000),
    });
    expect(termsUntil(later(1999), later(1000))).to.equal(null);
    expect(receiptTerms(aSubscription(), 999, noon)).to.equal(null);
    expect(receiptTerms(aSubscription(), 0, noon)).to.equal(null);
  });

  it('are those of 14 days if nobody says how long they may be', () => {
    expect(defaultReceiptTtl).to.equal(14 * day);
  });

  for (const held of [{ kind: 'suspended' }, { kind: 'revoked', at: later(-minute) }] as const) {
    it(`are none for an entitlement that is ${held.kind}`, () => {
      expect(receiptTerms(aSubscription({ hold: held }), day, noon)).to.equal(null);
      expect(receiptTerms(aOneTimePurchase({ hold: held }), day, noon)).to.equal(null);
    });
  }
});

describe('a receipt', () => {
  const write = writeReceipt(
    () => 'rct_1',
    (text) => Buffer.from(text).toString('base64url'),
    readableSignature,
  );
  const key = aFreshRing().active;

  it('has these members in this order, and no others', () => {
    const { header, claims, signed } = decoded(write(facts(aSubscription()), key));
    expect(header).to.equal(`{"alg":"ES256","kid":"${key.kid}","typ":"license-receipt+jwt"}`);
    expect(claims).to.equal(
      '{"iss":"https://licenses.example","aud":"prod_1","sub":"ent_1","iat":1784376000,"exp":1785585600,' +
        `"jti":"rct_1","key":"${'x'.repeat(43)}","mode":"online","entitlement":{"id":"ent_1","productId":"prod_1",` +
        '"status":"active","tierId":"pro","tierName":"Pro","billingInterval":"month","currentPeriodEnd":"2026-08-01T00:00:00.000Z"}}',
    );
    expect(signed).to.deep.equal({
      by: key.d,
      text: write(facts(aSubscription()), key).split('.').slice(0, 2).join('.'),
    });
  });

  it('shows the entitlement as a verification does, and the end of a purchase', () => {
    fc.assert(
      fc.property(entitlement, offset, (one, at) => {
        const now = later(at);
        const terms = receiptTerms(one, hour, now);
        if (terms === null) return;
        const claims = JSON.parse(decoded(write(facts(one, { terms, now }), key)).claims);
        const verification = JSON.parse(verificationBody({ valid: true, entitlement: snapshotAt(one, now) }));
        const end = one.kind === 'one_time' && one.accessEndsAt?.toISOString();
        expect(claims.entitlement).to.deep.equal({
          ...verification.entitlement,
          ...(end && { accessEndsAt: end }),
        });
      }),
    );
  });

  it('says until when there are updates, of a subscription and of a purchase', () => {
    for (const one of [aSubscription({ updatesUntil: later(-1) }), aOneTimePurchase({ updatesUntil: later(-1) })]) {
      const claims = JSON.parse(decoded(write(facts(one), key)).claims);
      expect(claims.entitlement.updatesUntil).to.equal(later(-1).toISOString());
      const verified = verificationBody({ valid: true, entitlement: snapshotAt(one, noon) });
      expect(verified).to.not.include('updatesUntil');
    }
  });

  it('has no end of a period for a one-time purchase, and says that it is offline', () => {
    const claims = JSON.parse(decoded(write(facts(aOneTimePurchase(), { mode: 'offline' }), key)).claims);
    expect(claims.mode).to.equal('offline');
    expect(claims.entitlement).to.deep.equal({
      id: 'ent_once',
      productId: 'prod_1',
      status: 'active',
      tierId: 'pro',
      tierName: 'Pro',
      billingInterval: 'one_time',
    });
  });

  const longest = [
    ['letters of most alphabets', 'ж', 2100],
    ['any characters', '\u{1f600}', 2600],
  ] as const;
  for (const [what, character, length] of longest) {
    it(`has at most ${length} characters beside those of the issuer if the tier has a name of ${what}`, () => {
      const id = 'x'.repeat(maxIdentifierLength);
      const one = aSubscription({ id, productId: id, tierId: id, tierName: character.repeat(200) });
      const unsigned = write(facts(one, { issuer: '' }), key)
        .split('.')
        .slice(0, 2)
        .join('.');
      // A signature has 86 characters, and an id 21 more than that of this test, of which base64url makes 28.
      expect(unsigned.length + 1 + 86 + 28).to.be.at.most(length);
    });
  }
});

const issuer = 'https://licenses.example';

function termsUntil(graceUntil: Date, now: Date): unknown {
  return receiptTerms(aSubscription({ graceUntil }), day, now);
}

function facts(one: Entitlement, overrides: Partial<ReceiptFacts> = {}): ReceiptFacts {
  const terms = overrides.terms ?? receiptTerms(one, 14 * day, noon);
  if (terms === null) throw new Error('the entitlement gives access');
  return {
    entitlement: one,
    allowance: allowanceOf(one, null),
    licenseDigest: 'x'.repeat(43),
    terms,
    mode: 'online',
    device: null,
    issuer,
    now: noon,
    ...overrides,
  };
}
