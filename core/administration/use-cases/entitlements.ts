import { isIdAtStripe, readStripes } from '../../billing/sold-by-stripe.ts';
import { alignEntitlement, runSeenCommand } from '../../entitlement/administration/align-entitlement.ts';
import { applyDecision, applyToSeen, runEntitlementCommand } from '../../entitlement/administration/apply-decision.ts';
import { grantEntitlement } from '../../entitlement/administration/grant-entitlement.ts';
import { dryRunOfEntitlements, importEntitlements } from '../../entitlement/administration/import-entitlements.ts';
import { everyEntitlement, listEntitlements } from '../../entitlement/administration/list-entitlements.ts';
import { makeAddition } from '../../entitlement/administration/make-addition.ts';
import { putEntitlement } from '../../entitlement/administration/put-entitlement.ts';
import { showEntitlement, showHistory } from '../../entitlement/administration/show-entitlement.ts';
import { addWithLicense } from '../../entitlement/license/add-with-license.ts';
import { revokeLicense, rotateLicense } from '../../entitlement/license/change-license.ts';
import { findByLicenseKey } from '../../entitlement/license/find-by-license-key.ts';
import { moveLicense } from '../../entitlement/license/move-license.ts';
import { changeSeen } from '../../purchase/change-seen.ts';
import { findPurchase } from '../../purchase/find-purchase.ts';
import { showPurchase } from '../../purchase/show-purchase.ts';
import { allowedWhere, ofProducts } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** Entitlements and their licenses. */
export function entitlementsOf(parts: Parts) {
  const { ports, platform, allowances, license, moving } = parts;
  const { allEntitlements, entitlementHistory, priceMap, products } = ports;
  const { addInterval, digest, newEntitlementId, newEventId } = platform;
  const addition = makeAddition(addInterval, newEventId);
  const add = addWithLicense(moving);
  const licenseMove = moveLicense(moving);
  const apply = applyDecision(allEntitlements, newEventId, parts.endingSoon, allowances);
  const applySeen = applyToSeen(allEntitlements, newEventId, parts.endingSoon, allowances);
  const stripes = readStripes(priceMap);
  return ofProducts({
    grantEntitlement: allowedWhere(
      grantEntitlement(products, add, newEntitlementId, license, addition, allowances),
      (_mine, { id }) => mayHaveId(id),
    ),
    importEntitlements: allowedWhere(
      importEntitlements(products, allEntitlements, license, addition, allowances),
      (_mine, drafts) => drafts.every(({ id }) => mayHaveId(id)),
    ),
    dryRunOfEntitlements: dryRunOfEntitlements(products, allEntitlements, license, addition, allowances),
    putEntitlement: allowedWhere(
      putEntitlement(products, allEntitlements, add, license, addition, allowances),
      (_mine, { id }) => mayHaveId(id),
    ),
    showEntitlement: showEntitlement(allEntitlements, allowances),
    showHistory: showHistory(allEntitlements, entitlementHistory),
    listEntitlements: listEntitlements(allEntitlements, allowances),
    everyEntitlement: everyEntitlement(allEntitlements, allowances),
    findEntitlement: allEntitlements.find.bind(allEntitlements),
    findByLicenseKey: findByLicenseKey(allEntitlements, digest, allowances),
    findPurchase: findPurchase(ports, digest, parts.addressLooks),
    showPurchase: showPurchase(ports, addInterval, allowances),
    runEntitlementCommand: runEntitlementCommand(apply, addInterval, stripes, allowances),
    alignEntitlement: alignEntitlement(applySeen, allowances),
    runSeenCommand: runSeenCommand(applySeen),
    changeSeen: changeSeen(apply, licenseMove, license, addInterval, stripes, allowances),
    rotateLicense: rotateLicense(apply, license),
    revokeLicense: revokeLicense(apply),
    moveLicense: licenseMove,
  });
}

/** Nobody but Stripe's sales gives these: a cancellation is sent to Stripe, where it could be that of another's buyer. */
function mayHaveId(id: string | null): boolean {
  return id === null || !isIdAtStripe(id);
}
