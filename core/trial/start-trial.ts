import type { Call } from '../call.ts';
import { requireTrust } from '../clock/clock-trust.ts';
import { deviceOf } from '../device/device.ts';
import { madeKeys, type IssuedReceipt, type SigningParts } from '../receipt/issue-receipt.ts';
import { receiptTerms } from '../receipt/receipt.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import { allowanceKnown, type Allowance, type TierTable } from '../tier/allowance.ts';
import { asPurchase, maxTrial, trialOf, type Trial } from './trial.ts';
import type { Trials } from './trials.port.ts';

export interface TrialRequest {
  readonly productId: string;
  /** The id that the app has given its device. */
  readonly deviceId: string;
  /** The address of the service, for the receipt. */
  readonly issuer: string;
}

export interface StartedTrial {
  /** `present`: the device had its trial already. */
  readonly kind: 'started' | 'present';
  readonly trial: Trial;
  readonly allowance: Allowance;
  readonly receipt: IssuedReceipt;
}

/**
 * Starts the trial of a device, or finds the one that it has: a device always gets the same end, even if the offer has
 * changed. Refuses with `trial_not_offered`, `trial_ended` and `clock_not_trusted`, and with what `admit` throws.
 * `admit` is called only before a new trial is stored.
 */
export type StartTrial = (request: TrialRequest, admit: () => Promise<void>, call: Call) => Promise<StartedTrial>;

export function startTrial(trials: Trials, digest: Digest, parts: SigningParts): StartTrial {
  return async ({ productId, deviceId, issuer }, admit, call) => {
    const id = trialOf(productId, deviceId, digest);
    const found = await trials.find(id, call);
    const trial = found ?? (await begin({ trials, parts, admit }, { id, productId }, call));
    const kind = found === null && trial.startedAt.getTime() === call.now.getTime() ? 'started' : 'present';
    return { kind, trial, ...(await signed(trial, deviceOf(id, deviceId, digest), issuer, parts, call)) };
  };
}

interface Beginning {
  readonly trials: Trials;
  readonly parts: SigningParts;
  readonly admit: () => Promise<void>;
}

async function begin(
  { trials, parts, admit }: Beginning,
  { id, productId }: Pick<Trial, 'id' | 'productId'>,
  call: Call,
): Promise<Trial> {
  const offer = offeredTrial(await parts.knownTiers(call), productId);
  if (offer === null) throw new Refusal('trial_not_offered');
  await requireTrust(parts.trustsClock, call);
  await admit();
  const { now: startedAt } = call;
  // Whole seconds, as in receipts. Rounded up, the first of fourteen days would show as fifteen.
  const endsAt = new Date(Math.floor((startedAt.getTime() + offer.length) / 1000) * 1000);
  await trials.add({ id, productId, tierId: offer.tierId, startedAt, endsAt, converted: null, revision: 1 }, call);
  // Two calls that start a trial at once both find the one that was stored.
  const stored = await trials.find(id, call);
  if (stored === null) throw new Refusal('store_unavailable');
  return stored;
}

function ended({ endsAt }: Trial): Refusal {
  return new Refusal('trial_ended', { message: `The trial ended at ${endsAt.toISOString()}.` });
}

async function signed(
  trial: Trial,
  device: string,
  issuer: string,
  { keys, write, knownTiers }: SigningParts,
  call: Call,
): Promise<Pick<StartedTrial, 'allowance' | 'receipt'>> {
  const { now } = call;
  const entitlement = asPurchase(trial);
  const terms = receiptTerms(entitlement, maxTrial, now);
  if (terms === null) throw ended(trial);
  const { active } = madeKeys(await keys.known(call));
  const allowance = await allowanceKnown(knownTiers, entitlement, call);
  const facts = { entitlement, allowance, licenseDigest: null, terms, mode: 'trial', device, issuer, now } as const;
  return { allowance, receipt: { receipt: write(facts, active), ...terms, entitlementId: trial.id } };
}

/** The trial that a product offers: its length in milliseconds, and the tier that devices may try. */
export interface OfferedTrial {
  readonly tierId: string;
  readonly length: number;
}

/** The first by id: `tier put` refuses a second trial of a product, but of two puts at once both can pass. */
function offeredTrial(table: TierTable, productId: string): OfferedTrial | null {
  let offer: OfferedTrial | null = null;
  for (const { id, productId: of, terms } of table.values()) {
    if (of !== productId || terms.trial === null || (offer !== null && offer.tierId < id)) continue;
    offer = { tierId: id, length: terms.trial };
  }
  return offer;
}
