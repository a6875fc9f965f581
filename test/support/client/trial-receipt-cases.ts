import { digest } from '../../../adapters/crypto/node-secrets.ts';
import type { SigningKey } from '../../../client/index.ts';
import { deviceOf } from '../../../core/device/device.ts';
import { trialOf } from '../../../core/trial/trial.ts';
import { aLicensedEntitlement, receiptClaims, ReceiptSigner, validFor, type Members } from './receipt-signer.ts';

/** The app's id of the device of every trial here. */
export const trialDeviceId = '4f9c2f6a1d5e47d0';

export const trialId = trialOf('prod_1', trialDeviceId, digest);

/** The claim `device` of its receipts. */
export const trialDevice = deviceOf(trialId, trialDeviceId, digest);

/** A text that a verifier is given as the receipt of a trial of `prod_1`, and the verdict of each that takes trials. */
export interface TrialReceiptCase {
  readonly title: string;
  readonly receipt: string;
  readonly allowed: 'valid' | 'invalid';
}

export interface TrialReceiptCases {
  readonly keys: readonly SigningKey[];
  readonly cases: readonly TrialReceiptCase[];
}

const [active, stranger] = [new ReceiptSigner(), new ReceiptSigner()];

/** Receipts of trials, and texts that are none, for a clock that stands at the second `now`. */
export function trialCases(now: number): TrialReceiptCases {
  const typ = 'trial-receipt+jwt';
  const claims = trialClaims(now, now + validFor);
  const receipt = active.receipt(claims, active.header({ typ }));
  const receipts: Readonly<Record<TrialReceiptCase['allowed'], Readonly<Record<string, string>>>> = {
    valid: {
      'the receipt of a trial': receipt,
      'that of a trial of ninety days': active.receipt(trialClaims(now, now + 90 * 86_400), active.header({ typ })),
      'that of a trial in lines': receipt.replaceAll(/(.{76})/g, '$1\r\n'),
    },
    invalid: {
      'the receipt of a license': active.receipt(receiptClaims({ iat: now, exp: now + validFor, device: trialDevice })),
      'that of a trial with the typ of a license': active.receipt(claims),
      'that of a trial which is over': active.receipt(trialClaims(now - validFor, now), active.header({ typ })),
      'that of a trial of another product': active.receipt({ ...claims, aud: 'prod_2' }, active.header({ typ })),
      'that of a trial by a stranger': stranger.receipt(claims, stranger.header({ typ })),
      'that of a trial signed by a stranger': stranger.receipt(claims, active.header({ typ })),
      'that of a trial without an end': active.receipt({ ...claims, exp: undefined }, active.header({ typ })),
      'that of a trial with typ JWT': active.receipt(claims, active.header({ typ: 'JWT' })),
    },
  };
  const cases = (['valid', 'invalid'] as const).flatMap((allowed) =>
    Object.entries(receipts[allowed]).map(([title, each]) => ({ title, receipt: each, allowed })),
  );
  return { keys: [active.publicKey], cases };
}

function trialClaims(iat: number, exp: number): Members {
  const { currentPeriodEnd: _, ...shown } = aLicensedEntitlement({
    id: trialId,
    status: 'trialing',
    tierName: 'pro',
    billingInterval: 'one_time',
  });
  const entitlement = { ...shown, accessEndsAt: new Date(exp * 1000).toISOString() };
  const { key: __, ...claims } = receiptClaims({ sub: trialId, iat, exp, mode: 'trial', device: trialDevice });
  return { ...claims, entitlement };
}
