import type { Call } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import { lastFourRule, spellingsOf } from '../entitlement/administration/list-entitlements.ts';
import { decidedSnapshot, type FullSnapshot } from '../entitlement/administration/show-entitlement.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { isIdentifier } from '../identifier.ts';
import { hasIssuedForm, hasLicenseKeyLength, isIssuedKey, licenseDigest } from '../license/license-key.ts';
import { productSlices } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import type { Digest } from '../secret.ts';
import { isTrialId } from '../trial/trial.ts';
import type { Trials } from '../trial/trials.port.ts';
import { emailAddressRule, type SignUp } from '../waitlist/sign-up.ts';
import type { Waitlist } from '../waitlist/waitlist.port.ts';
import { findByAddress, type AddressLooks, type AddressPorts, type FoundSales } from './find-by-address.ts';

/** The form of a text that was not found. */
export type SearchedForm = 'license key' | 'mistyped license key' | 'e-mail address' | 'other';

export type FoundPurchase =
  | { readonly kind: 'entitlement'; readonly id: string }
  /** The trial of a device, by the id that its app shows. */
  | { readonly kind: 'trial'; readonly id: string }
  /** Several products have an entitlement with the reference. */
  | { readonly kind: 'several'; readonly entitlements: readonly FullSnapshot[] }
  /** Several entitlements have a license key that ends so. */
  | { readonly kind: 'ends of keys'; readonly lastFour: string }
  | { readonly kind: 'sign-up'; readonly signUp: SignUp }
  | FoundAddress
  | { readonly kind: 'nothing'; readonly form: SearchedForm };

/** An address that was sold something, or of which Stripe has not said it, and what else has it. */
export interface FoundAddress extends FoundSales {
  readonly kind: 'address';
  /** Null if it is not on the waitlist, or the caller may not read that. */
  readonly signUp: SignUp | null;
  /** Entitlements whose reference it is. */
  readonly references: readonly FullSnapshot[];
}

/**
 * Finds a purchase by a text that somebody has pasted: the id of an entitlement or of a trial, a license key, an e-mail
 * address that Stripe has sold something to or, if `withWaitlist` allows it, of the waitlist, a reference in any
 * product, or the last four characters of a license key. The form of the text decides where it is looked for. Refuses
 * with `rate_limited`.
 */
export type FindPurchase = (what: string, withWaitlist: boolean, call: Call) => Promise<FoundPurchase>;

export interface FindPorts extends AddressPorts {
  readonly allEntitlements: Pick<AllEntitlements, 'find' | 'findByLicense' | 'page'>;
  readonly products: Pick<Products, 'find' | 'page'>;
  readonly trials: Pick<Trials, 'find'>;
  readonly waitlist: Pick<Waitlist, 'find'>;
}

/** `looks` is null for a process that asks no shop for addresses. */
export function findPurchase(ports: FindPorts, digest: Digest, looks: AddressLooks | null = null): FindPurchase {
  const { allEntitlements, trials, waitlist } = ports;
  return async (what, withWaitlist, call) => {
    const text = what.trim();
    const byId = isIdentifier(text) ? await allEntitlements.find(text, call) : null;
    if (byId !== null) return { kind: 'entitlement', id: byId.id };
    if (isTrialId(text) && (await trials.find(text, call)) !== null) return { kind: 'trial', id: text };
    const byKey = hasLicenseKeyLength(text)
      ? await allEntitlements.findByLicense(licenseDigest(text, digest), call)
      : null;
    if (byKey !== null) return { kind: 'entitlement', id: byKey.id };
    const isAddress = emailAddressRule.parse(text) !== null;
    const signUp = isAddress && withWaitlist ? await waitlist.find(text, call) : null;
    const byReference = text === '' ? [] : await findReference(ports, text, call);
    const references = byReference.map((entitlement) => decidedSnapshot(entitlement, call));
    const sold = isAddress && looks !== null ? await findByAddress(ports, looks, text, call) : null;
    if (sold !== null && (sold.count > 0 || sold.missing > 0 || sold.trouble !== null)) {
      return { kind: 'address', ...sold, signUp, references };
    }
    if (signUp !== null) return { kind: 'sign-up', signUp };
    const [first, ...others] = references;
    if (first === undefined) {
      return (await findLastFour(allEntitlements, text, call)) ?? { kind: 'nothing', form: formOf(text, isAddress) };
    }
    if (others.length === 0) return { kind: 'entitlement', id: first.id };
    return { kind: 'several', entitlements: references };
  };
}

/** Finds those whose license key ends so. Null if there are none. */
async function findLastFour(
  entitlements: FindPorts['allEntitlements'],
  text: string,
  call: Call,
): Promise<FoundPurchase | null> {
  const lastFour = lastFourRule.parse(text);
  if (lastFour === null) return null;
  const part = { order: 'newest', productId: null, lastFour: spellingsOf(lastFour), after: null, limit: 2 } as const;
  const [only, another] = await entitlements.page(part, call);
  if (only === undefined) return null;
  return another === undefined ? { kind: 'entitlement', id: only.id } : { kind: 'ends of keys', lastFour };
}

/** A reference is unique in its product only, and has no index over all. */
async function findReference(
  { allEntitlements, products }: FindPorts,
  reference: string,
  call: Call,
): Promise<readonly Entitlement[]> {
  const found: Entitlement[] = [];
  for await (const slice of productSlices(products, () => call)) {
    const parts = slice.map(({ id }) => ({ productId: id, reference, after: null, limit: 1 }));
    const pages = await Promise.all(parts.map((part) => allEntitlements.page(part, call)));
    found.push(...pages.flat());
  }
  return found;
}

function formOf(text: string, isAddress: boolean): SearchedForm {
  if (isAddress) return 'e-mail address';
  if (isIssuedKey(text)) return 'license key';
  return hasIssuedForm(text) ? 'mistyped license key' : 'other';
}
