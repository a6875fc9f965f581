import * as call from '../../core/call.ts';
import { affiliateMembers, noAffiliateMembers, type AffiliateMembers } from '../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../core/catalog/listing.ts';
import { noPageMembers, pageMembers, type PageMembers } from '../../core/catalog/page-members.ts';
import type { Addition } from '../../core/entitlement/administration/all-entitlements.port.ts';
import type { EntitlementCommand } from '../../core/entitlement/entitlement-command.ts';
import type { Entitlement, OneTimePurchase, Subscription } from '../../core/entitlement/entitlement.ts';
import { nextTransition, type ChangeRecord } from '../../core/entitlement/event/change-record.ts';
import type { EntitlementEvent } from '../../core/entitlement/event/entitlement-event.ts';
import { eventTypeOf } from '../../core/entitlement/event/event-type.ts';
import type { Grant } from '../../core/entitlement/grant.ts';
import { historyEntry, type HistoryEntry } from '../../core/entitlement/history-entry.ts';
import { factsOf, type IdempotencyRecord } from '../../core/entitlement/idempotency/idempotency-record.ts';
import { snapshotAt } from '../../core/entitlement/snapshot.ts';
import { scopes, type AppKey } from '../../core/key/app/app-key.ts';
import { operatorScopes, type OperatorKey } from '../../core/key/operator/operator-key.ts';
import type { License } from '../../core/license/license.ts';
import type { OperatorSession } from '../../core/operator-session/operator-session.ts';
import { plainFacts, type Product } from '../../core/product/products.port.ts';
import type { Trial } from '../../core/trial/trial.ts';
import { newEntry, type WaitlistEntry } from '../../core/waitlist/invitation.ts';

/** The default instant of all tests: the middle of the built subscription's period. */
export const noon = new Date('2026-07-18T12:00:00.000Z');

/** That many milliseconds after noon. */
export function later(milliseconds: number): Date {
  return new Date(noon.getTime() + milliseconds);
}

export const day = 86_400_000;
export const hour = 3_600_000;

/** The members that entitlements of both kinds have, but their ids. */
const entitled = {
  productId: 'prod_1',
  tierId: 'pro',
  tierName: 'Pro',
  standing: 'active',
  hold: { kind: 'none' },
  currentPeriodStart: new Date('2026-07-01T00:00:00.000Z'),
  reference: null,
  updatesUntil: null,
  license: null,
  createdAt: new Date('2026-07-01T00:00:00.000Z'),
  updatedAt: new Date('2026-07-01T00:00:00.000Z'),
  version: 1,
  revision: 1,
  sequence: 0,
  nextEventAt: null,
  unannouncedEnd: null,
  deviceLimit: null,
  features: {},
  devicesUsed: 0,
  releasesUntil: null,
} as const;

export function aSubscription(overrides: Partial<Subscription> = {}): Subscription {
  const subscription: Subscription = {
    ...entitled,
    kind: 'subscription',
    id: 'ent_1',
    billingInterval: 'month',
    billingIntervalCount: 1,
    currentPeriodEnd: new Date('2026-08-01T00:00:00.000Z'),
    anchorDay: null,
    graceUntil: new Date('2026-08-02T00:00:00.000Z'),
    cancellation: null,
    unpaidUntil: null,
    ...overrides,
  };
  const nextEventAt = nextTransition(subscription, subscription.updatedAt);
  return { ...subscription, nextEventAt, ...overrides };
}

/** Changes every term of a subscription that its answers show. */
export const toTeam: EntitlementCommand = {
  kind: 'change-tier',
  tierId: 'team',
  tierName: 'Team',
  billingInterval: 'year',
  billingIntervalCount: 2,
  currentPeriodEnd: null,
  grace: null,
};

export function aOneTimePurchase(overrides: Partial<OneTimePurchase> = {}): OneTimePurchase {
  return { ...entitled, kind: 'one_time', id: 'ent_once', accessEndsAt: null, ...overrides };
}

const grantTerms = {
  productId: 'prod_1',
  tierId: 'pro',
  tierName: 'Pro',
  standing: 'active',
  currentPeriodStart: null,
  reference: null,
} as const;

type GrantOf<Kind> = Extract<Grant, { readonly kind: Kind }>;

/** A grant of a month that begins at its instant, without a grace. */
export function aGrant(overrides: Partial<GrantOf<'subscription'>> = {}): GrantOf<'subscription'> {
  const period = { billingInterval: 'month', billingIntervalCount: 1, currentPeriodEnd: null, grace: 0 } as const;
  return { ...grantTerms, kind: 'subscription', ...period, ...overrides };
}

export function aOneTimeGrant(overrides: Partial<GrantOf<'one_time'>> = {}): GrantOf<'one_time'> {
  return { ...grantTerms, kind: 'one_time', ...overrides };
}

export function aLicense(overrides: Partial<License> = {}): License {
  return {
    digest: 'digest-of-a-license',
    lastFour: 'WXYZ',
    createdAt: new Date('2026-07-01T00:00:00.000Z'),
    revokedAt: null,
    ...overrides,
  };
}

/** The subscription after a change at `now`: canceled if it was not, resumed if it was. */
export function changed(seen: Subscription, now: Date = noon): Subscription {
  const cancellation = seen.cancellation === null ? { at: seen.currentPeriodEnd, requestedAt: now } : null;
  const counts = { version: seen.version + 1, revision: seen.revision + 1, sequence: seen.sequence + 1 };
  return { ...seen, cancellation, unannouncedEnd: cancellation?.at ?? seen.graceUntil, updatedAt: now, ...counts };
}

/** The entry of the change that has made this state: its grant or, with a version above 1, a cancellation. */
export function anEntry(entitlement: Entitlement, overrides: Partial<HistoryEntry> = {}): HistoryEntry {
  const operation = entitlement.version === 1 ? 'granted' : 'cancellation_scheduled';
  return { ...historyEntry(entitlement, { operation }, aCall()), ...overrides };
}

/** The event of the change that has made this state. */
export function anEvent(entitlement: Entitlement, overrides: Partial<EntitlementEvent> = {}): EntitlementEvent {
  const { operation, at, by, correlationId, version } = anEntry(entitlement);
  return {
    id: `evt_${entitlement.id}_${version}_${entitlement.sequence}`,
    type: eventTypeOf(operation),
    at,
    sequence: entitlement.sequence,
    by,
    correlationId,
    previous: {},
    entitlement: snapshotAt(entitlement, at),
    license: null,
    ending: null,
    device: null,
    reason: null,
    ...overrides,
  };
}

/** The entry of the change that has made this state, with its event unless the state is older than all events. */
export function aChangeRecord(entitlement: Entitlement, overrides: Partial<HistoryEntry> = {}): ChangeRecord {
  const events = entitlement.sequence === 0 ? [] : [anEvent(entitlement)];
  return { entry: anEntry(entitlement, overrides), events };
}

/** Additions of entitlements that were granted by a command. */
export function granted(entitlements: readonly Entitlement[]): readonly Addition[] {
  return entitlements.map((entitlement) => ({ entitlement, changeRecord: aChangeRecord(entitlement) }));
}

/** The record of a cancellation at noon. */
export function aRecord(entitlement: Subscription, overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    productId: entitlement.productId,
    key: 'key-00000001',
    operation: 'cancel',
    entitlementId: entitlement.id,
    at: noon,
    correlationId: '00000000-0000-4000-8000-000000000001',
    facts: factsOf(snapshotAt(entitlement, overrides.at ?? noon)),
    ...overrides,
  };
}

/** A trial of two weeks that begins at noon. */
export function aTrial(overrides: Partial<Trial> = {}): Trial {
  return {
    id: `trial_${'A'.repeat(22)}`,
    productId: 'prod_1',
    tierId: 'pro',
    startedAt: noon,
    endsAt: later(14 * day),
    converted: null,
    revision: 1,
    ...overrides,
  };
}

export function anAppKey(overrides: Partial<AppKey> = {}): AppKey {
  return {
    id: 'key_1',
    productId: 'prod_1',
    digest: 'digest-of-an-app-key',
    lastFour: 'wxyz',
    scopes,
    createdAt: new Date('2026-07-01T00:00:00.000Z'),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...overrides,
  };
}

export function anOperatorKey(overrides: Partial<OperatorKey> = {}): OperatorKey {
  return {
    id: 'opk_1',
    name: 'Billing',
    products: null,
    digest: 'digest-of-an-operator-key',
    lastFour: 'wxyz',
    scopes: operatorScopes,
    createdAt: new Date('2026-07-01T00:00:00.000Z'),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...overrides,
  };
}

export function anOperatorSession(overrides: Partial<OperatorSession> = {}): OperatorSession {
  return { digest: 'digest', operatorKeyId: 'opk_1', createdAt: noon, lastUsedAt: noon, ...overrides };
}

export function deadlineIn(milliseconds: number): call.Deadline {
  return call.deadlineIn(milliseconds, () => performance.now());
}

/**
 * A call at noon with a deadline that a busy machine does not miss. It runs from its first use, because a file may make a
 * call when it is loaded, and run its tests much later.
 */
export function aCall(overrides: Partial<call.Call> = {}): call.Call {
  let begun: call.Deadline | null = null;
  return {
    now: noon,
    deadline: { remaining: () => (begun ??= deadlineIn(90_000)).remaining() },
    correlationId: '00000000-0000-4000-8000-00000000000c',
    by: 'command:test',
    products: null,
    ...overrides,
  };
}

export function aProduct(overrides: Partial<Product> = {}): Product {
  return { id: 'prod_1', name: 'Product', createdAt: later(0), ...plainFacts, ...overrides };
}

/** Something in every member of a listing that only pages show. */
export const everyPageMember = {
  url: 'https://ledgerline.example/',
  imageUrl: 'https://pictures.example/tile.png',
  description:
    '## Who buys it\n- People with **spreadsheets**\n- =1+1;"2"\n\n1. [Read](https://ledgerline.example/a?b=c)\n2. Join',
  joinUrl: 'https://ledgerline.example/partners/join',
  commissionFor: 12,
  cookieDays: 60,
  payoutLabel: 'Monthly by bank transfer, from €50',
  maker: 'Ledgerline Software',
  makerUrl: 'https://ledgerline.example/about',
  contactUrl: 'mailto:partners@ledgerline.example',
  pictureUrl: 'https://pictures.example/ledgerline.png',
  pictureAlt: 'The month at a glance',
} satisfies PageMembers;

/** Something in every member of a listing that its affiliates need. */
export const everyAffiliateMember = {
  affiliates: 'open',
  saleUrl: 'https://buy.example/ledgerline',
  holdDays: 45,
} satisfies AffiliateMembers;

type HiddenMembers = keyof PageMembers | keyof AffiliateMembers | 'storefronts';

/** A listing without what only pages show, and without what affiliates need and make. */
export function withoutHiddenMembers<Own extends object>(listing: Own): Omit<Own, HiddenMembers> {
  const names: readonly string[] = [...pageMembers, ...affiliateMembers, 'storefronts'];
  const others = Object.entries(listing).filter(([name]) => !names.includes(name));
  return Object.fromEntries(others) as Omit<Own, HiddenMembers>;
}

export function aListing(overrides: Partial<Listing> = {}): Listing {
  return {
    id: 'lst_1',
    slug: 'quiet-editor',
    name: 'Quiet Editor',
    blurb: 'A text editor that stays out of the way',
    category: 'Writing',
    commissionPercent: 30,
    compensationType: 'commission',
    compensationLabel: '30 % of every sale',
    featured: false,
    storefrontCount: 5,
    state: 'live',
    publishedAt: new Date('2026-07-01T00:00:00.000Z'),
    upfrontCents: 0,
    ...noPageMembers,
    ...noAffiliateMembers,
    storefronts: 0,
    productId: null,
    ...overrides,
  };
}

export function aSignUp(overrides: Partial<WaitlistEntry> = {}): WaitlistEntry {
  const signUp = { email: 'Ada@Example.com', name: 'Ada', handle: 'ada', role: 'creator', at: noon } as const;
  return { ...newEntry(signUp), ...overrides };
}
