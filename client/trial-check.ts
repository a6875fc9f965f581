import { LatchkeyError } from './errors.ts';
import { allowingNothing, validCheck, withoutAllowance, type TrialCheck } from './license-check.ts';
import type { StartedTrial } from './models.ts';
import { verifyReceipt, type ReceiptVerification, type VerifyReceiptOptions } from './receipt.ts';
import { jwsIn } from './receipts/jws.ts';
import type { StoredReceipt } from './receipts/stored-receipt.ts';
import { unusable } from './transport.ts';

/**
 * The result of a check without a key, and the receipt to be stored from then on; null to leave the stored one as it
 * is.
 */
export interface TriedOut {
  readonly check: TrialCheck;
  readonly keep: StoredReceipt | null;
}

/** The facts by which the receipts of a trial are judged. */
export type TrialJudge = Pick<VerifyReceiptOptions, 'keys' | 'productId'> & {
  readonly deviceId: string;
  readonly now: Date;
};

const day = 86_400_000;

/**
 * Decides by the service's answer whether a device may try the product, and by the stored receipt of its trial where
 * the service gives no verdict. A receipt of a license does not count here.
 */
export async function tryOut(
  asked: StartedTrial | LatchkeyError,
  stored: StoredReceipt,
  judge: TrialJudge,
): Promise<TriedOut> {
  const { now } = judge;
  if (!(asked instanceof LatchkeyError)) {
    const { receipt } = asked.receipt;
    const fetched = await judgedTrial(receipt, judge, null);
    if (fetched?.verdict === 'valid')
      return { check: running('online', fetched, now, now), keep: { receipt, lastSeen: now } };
  }
  const error = asked instanceof LatchkeyError ? asked : unusable('The receipt of the trial cannot be verified');
  const own = await judgedTrial(stored.receipt, judge, stored.lastSeen);
  const reason = verdictIn(error);
  if (reason !== null) {
    const check = allowingNothing({ verdict: 'invalid', source: 'online', reason, entitlement: null }, now);
    return { check, keep: own === null ? null : { ...stored, receipt: null } };
  }
  if (own === null || own.entitlement === null) {
    const receipt = own?.reason ?? 'none';
    const facts = { verdict: 'unavailable', reason: null, receipt, error, entitlement: null } as const;
    return { check: allowingNothing(facts, now), keep: null };
  }
  const lastSeen = stored.lastSeen !== null && stored.lastSeen > now ? stored.lastSeen : now;
  return { check: byReceipt(own, now, lastSeen), keep: { ...stored, lastSeen } };
}

type OfThisTrial = Exclude<ReceiptVerification, { readonly entitlement: null }>;

type Running = Extract<ReceiptVerification, { readonly verdict: 'valid' }>;

const verdicts = ['trial_ended', 'trial_not_offered'] as const;

/** The verdict of the service. Any other refusal says nothing about the trial. */
function verdictIn({ code }: LatchkeyError): (typeof verdicts)[number] | null {
  return verdicts.find((verdict) => verdict === code) ?? null;
}

function byReceipt(own: OfThisTrial, now: Date, lastSeen: Date): TrialCheck {
  if (own.verdict === 'valid') return running('receipt', own, now, lastSeen);
  const reason = own.reason === 'expired' ? 'trial_ended' : own.reason;
  const entitlement = withoutAllowance(own.entitlement);
  return allowingNothing({ verdict: 'invalid', source: 'receipt', reason, entitlement }, now);
}

/** The days that are left count from the latest instant that the machine has seen. */
function running(
  source: 'online' | 'receipt',
  { entitlement, expiresAt }: Running,
  now: Date,
  lastSeen: Date,
): TrialCheck {
  const daysLeft = Math.ceil((Date.parse(expiresAt) - lastSeen.getTime()) / day);
  return { ...validCheck(source, entitlement, expiresAt, now), trial: { endsAt: expiresAt, daysLeft } };
}

/** Null for no receipt, and for one of a license. */
async function judgedTrial(
  receipt: string | null,
  judge: TrialJudge,
  lastSeen: Date | null,
): Promise<ReceiptVerification | null> {
  if (receipt === null || !isOfTrial(receipt)) return null;
  return verifyReceipt(receipt, { ...judge, trial: true, lastSeen: lastSeen ?? undefined });
}

/** Whether a receipt says that it is one of a trial. Its signature is verified elsewhere. */
export function isOfTrial(receipt: string): boolean {
  return jwsIn(receipt, 'trial-receipt+jwt') !== null;
}
