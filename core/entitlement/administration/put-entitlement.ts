import type { Call } from '../../call.ts';
import type { MakeLicense, NewLicense } from '../../license/license.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal, type CommandRefusal } from '../../refusal.ts';
import { tierIn, unknownTier, withoutTiers, type AllowanceParts, type UnknownTier } from '../../tier/allowance.ts';
import { graceOf, type Entitlement } from '../entitlement.ts';
import { additionWithAllowance } from '../event/shown-allowance.ts';
import type { Grant } from '../grant.ts';
import { effectiveAt, type Snapshot } from '../snapshot.ts';
import { grantOf, notFor, type WrittenGrant } from '../written-grant.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import { additionRefusals, type AddWithLicense, type MakeAddition } from './make-addition.ts';

export interface PutEntitlementRequest {
  readonly id: string;
  readonly written: WrittenGrant;
  /** Null for a generated key. */
  readonly licenseKey: string | null;
}

export interface PutEntitlementAnswer extends UnknownTier {
  readonly entitlement: Snapshot;
  /** The only copy of the key. Null if the entitlement was granted before: nothing shows a key twice. */
  readonly licenseKey: string | null;
  readonly outcome: 'granted' | 'unchanged';
}

/**
 * Grants an entitlement with an id that the caller chooses, which makes it safe to repeat: an entitlement that has this
 * id and is equal in every member that the request gives is returned as it is. Refuses with `entitlement_exists` if it
 * differs; with `product_not_found`, `period_end_too_early`, `invalid_license_key`, `license_key_exists` and
 * `reference_exists`; with `not_for_a_purchase` for a purchase with an interval count or a grace; and with
 * `not_for_a_subscription` for a subscription with `accessEndsAt`.
 */
export type PutEntitlement = (request: PutEntitlementRequest, call: Call) => Promise<PutEntitlementAnswer>;

export function putEntitlement(
  products: Products,
  entitlements: Pick<AllEntitlements, 'find'>,
  add: AddWithLicense,
  makeLicense: MakeLicense,
  makeAddition: MakeAddition,
  { tiers, knownTiers }: AllowanceParts = withoutTiers,
): PutEntitlement {
  const shown = async (entitlement: Entitlement, call: Call): Promise<Shown> => ({
    entitlement: effectiveAt(entitlement, call.now, tierIn(await knownTiers(call), entitlement)),
    ...(await unknownTier(tiers, entitlement, call)),
  });
  const grantOnce = async (grant: Grant, id: string, made: NewLicense, call: Call): Promise<Attempt> => {
    if ((await products.find(grant.productId, call)) === null) return { kind: 'refused', code: 'product_not_found' };
    const decision = makeAddition(grant, { id, license: made.license }, 'granted', call);
    if (decision.kind === 'refused') return decision;
    const addition = await additionWithAllowance(tiers, decision.addition, call);
    // All is read before the write: a fault after it would lose the only copy of the key.
    const answer = await shown(addition.entitlement, call);
    const outcome = await add(addition, made, call);
    if (outcome.kind === 'added') return { kind: 'granted', answer };
    return { kind: 'refused', code: additionRefusals[outcome.kind] };
  };
  return async ({ id, written, licenseKey }, call) => {
    const grant = grantIn(written);
    const made = makeLicense(licenseKey, call.now);
    const attempt = await grantOnce(grant, id, made, call);
    if (attempt.kind === 'granted') return { ...attempt.answer, licenseKey: made.key, outcome: 'granted' };
    // A repeat goes before every refusal. Repeats are rare, so only a refused grant pays for the look-up.
    const known = await entitlements.find(id, call);
    if (known === null) throw new Refusal(attempt.code);
    if (!isGranted(known, written, licenseKey === null ? null : made)) throw new Refusal('entitlement_exists');
    return { ...(await shown(known, call)), licenseKey: null, outcome: 'unchanged' };
  };
}

type Shown = UnknownTier & { readonly entitlement: Snapshot };

type Attempt =
  { readonly kind: 'granted'; readonly answer: Shown } | { readonly kind: 'refused'; readonly code: CommandRefusal };

function grantIn(written: WrittenGrant): Grant {
  const reading = grantOf(written);
  if (reading.kind === 'grant') return reading.grant;
  const code = reading.kind === 'not for a purchase' ? 'not_for_a_purchase' : 'not_for_a_subscription';
  throw new Refusal(code, { message: `${reading.member} ${notFor(reading)}.` });
}

/** Reports whether an entitlement is equal to a grant in every member that the grant gives. */
function isGranted(known: Entitlement, written: WrittenGrant, made: NewLicense | null): boolean {
  const subscription = known.kind === 'subscription' ? known : null;
  const end = known.kind === 'subscription' ? known.currentPeriodEnd : known.accessEndsAt;
  const writtenEnd = written.accessEndsAt ?? written.currentPeriodEnd;
  return (
    written.productId === known.productId &&
    written.tierId === known.tierId &&
    written.tierName === known.tierName &&
    written.billingInterval === (subscription?.billingInterval ?? 'one_time') &&
    isSame(written.billingIntervalCount, subscription?.billingIntervalCount) &&
    isSame(written.currentPeriodStart?.getTime(), known.currentPeriodStart.getTime()) &&
    isSame(writtenEnd?.getTime(), end?.getTime()) &&
    isSame(written.updatesUntil?.getTime(), known.updatesUntil?.getTime()) &&
    isSame(written.status, known.standing) &&
    isSame(written.grace, subscription && graceOf(subscription)) &&
    isSame(written.reference, known.reference) &&
    isSame(written.deviceLimit, known.deviceLimit) &&
    (made === null || known.license?.digest === made.license.digest)
  );
}

/** A member that the grant leaves out is equal to any. */
function isSame<T>(given: T | undefined, known: T): boolean {
  return given === undefined || given === known;
}
