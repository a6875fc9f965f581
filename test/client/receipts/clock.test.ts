import { expect } from 'chai';
import { asyncProperty, assert as check, constantFrom, integer, oneof, option } from 'fast-check';
import { verifyReceipt } from '../../../client/index.ts';
import { day, later, noon } from '../../support/builders.ts';
import { issuedAt, receiptClaims, ReceiptSigner } from '../../support/client/receipt-signer.ts';
import { rounds } from '../../support/run/long-runs.ts';

const signer = new ReceiptSigner();

interface Clocks {
  /** Milliseconds after the receipt was issued. */
  readonly now: number;
  /** Milliseconds after the receipt was issued; null if nothing was seen. */
  readonly seen: number | null;
  /** Seconds for which the receipt is valid. */
  readonly seconds: number;
}

async function verdictOf({ now, seen, seconds }: Clocks): Promise<string> {
  const receipt = signer.receipt(receiptClaims({ exp: issuedAt + seconds }));
  const lastSeen = seen === null ? undefined : later(seen);
  const options = { keys: [signer.publicKey], productId: 'prod_1', now: later(now), lastSeen };
  const result = await verifyReceipt(receipt, options);
  return result.verdict === 'valid' ? 'valid' : result.reason;
}

/** The rule, told once more: a clock is a day late at most, and the latest instant that is known counts. */
function expected({ now, seen, seconds }: Clocks): string {
  const known = [now, seen ?? now, 0].toSorted((one, other) => other - one)[0] ?? 0;
  if (known > now + day) return 'clock_set_back';
  return known < seconds * 1000 ? 'valid' : 'expired';
}

describe('the clock of a receipt', () => {
  const week = 7 * 86_400;
  const examples: readonly (readonly [verdict: string, clocks: Clocks])[] = [
    ['valid', { now: 0, seen: null, seconds: week }],
    ['valid', { now: week * 1000 - 1, seen: null, seconds: week }],
    ['expired', { now: week * 1000, seen: null, seconds: week }],
    ['valid', { now: -day, seen: null, seconds: week }],
    ['clock_set_back', { now: -day - 1, seen: null, seconds: week }],
    ['valid', { now: day, seen: 2 * day, seconds: week }],
    ['clock_set_back', { now: day - 1, seen: 2 * day, seconds: week }],
    ['expired', { now: week * 1000 - day, seen: week * 1000, seconds: week }],
    ['clock_set_back', { now: week * 1000 - day - 1, seen: week * 1000, seconds: week }],
    ['expired', { now: -1, seen: null, seconds: 0 }],
    ['expired', { now: 0, seen: null, seconds: -5 }],
    ['valid', { now: 5, seen: -100 * day, seconds: week }],
  ];
  for (const [verdict, clocks] of examples) {
    it(`is ${verdict} with ${JSON.stringify(clocks)}`, async () => {
      expect(expected(clocks)).to.equal(verdict);
      expect(await verdictOf(clocks)).to.equal(verdict);
    });
  }

  it('is judged by one rule, on both sides of every end', async () => {
    const ends = constantFrom(0, day, -day, week * 1000, week * 1000 - day, week * 1000 + day);
    const near = ends.chain((end) => integer({ min: -2, max: 2 }).map((difference) => end + difference));
    const instant = oneof(near, integer({ min: -30 * day, max: 400 * day }));
    await check(
      asyncProperty(instant, option(instant), constantFrom(week, 1, 86_400), async (now, seen, seconds) => {
        const clocks = { now, seen, seconds };
        expect(await verdictOf(clocks)).to.equal(expected(clocks));
      }),
      { numRuns: rounds(1000, 50_000) },
    );
  });

  it('can be set to any instant', async () => {
    const instants = [new Date(0), new Date(-8.64e15), new Date(8.64e15), noon];
    const verdicts = await Promise.all(
      instants.map(async (now) => {
        const result = await verifyReceipt(signer.receipt(), { keys: [signer.publicKey], productId: 'prod_1', now });
        return result.verdict === 'valid' ? 'valid' : result.reason;
      }),
    );
    expect(verdicts).to.deep.equal(['clock_set_back', 'clock_set_back', 'expired', 'valid']);
  });
});
