import { httpUrl } from '../../adapters/http/http-url.ts';
import { administrationOf, type Administration } from '../../core/administration/administration.ts';
import type { Platform } from '../../core/administration/use-cases/platform.ts';
import type { PriceMapping } from '../../core/billing/price-map.port.ts';
import type { Call } from '../../core/call.ts';
import type { EntitlementCommand } from '../../core/entitlement/entitlement-command.ts';
import type { Grant } from '../../core/entitlement/grant.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { scopes } from '../../core/key/app/app-key.ts';
import { operatorScopes, scopesOfLimited } from '../../core/key/operator/operator-key.ts';
import { day } from '../../core/parsing/duration.ts';
import type { OfflineReceiptRequest } from '../../core/receipt/issue-offline-receipt.ts';
import type { PublishedKeys } from '../../core/receipt/signing-key.ts';
import type { TierTerms } from '../../core/tier/tier.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../stores/open-store.ts';
import { addAffiliateHistory } from './affiliate-history.ts';
import { addPastSales } from './past-sales.ts';
import type { DemoReceiver } from './receiver.ts';
import { addShop } from './shop-data.ts';

/** The sample data that the printed requests contain. */
export interface DemoData {
  readonly appKey: string;
  /** For the admin port; it has every scope. */
  readonly operatorKey: string;
  /** For the port of merchants; it is limited to `metronome`. */
  readonly merchantKey: string;
  readonly entitlementId: string;
  readonly licenseKey: string;
  /** License keys of other entitlements by status, and of one that was bought once. */
  readonly others: ReadonlyMap<string, string>;
  /** The public keys of receipts; null if none are issued. */
  readonly signingKeys: PublishedKeys | null;
  /** The path of the page of the buyer of `entitlementId`, which works for a day. */
  readonly buyerPath: string;
}

/** The sources of the keys and ids in the sample data. */
export interface DemoPlatforms {
  /** For keys and ids that the demo prints. */
  readonly printed: Platform;
  /** For all others, so that they change no key that is printed. */
  readonly rest: Platform;
}

/** The addresses and prices outside the service that the sample data refers to. */
export interface Surroundings {
  readonly receiver: Pick<DemoReceiver, 'url' | 'brokenUrl'>;
  /** The URL below which the pages and pictures of makers are. */
  readonly makersUrl: string;
  /** The prices at Stripe, and the tiers that they sell. */
  readonly prices: readonly PriceMapping[];
}

/** Creates the store of these settings and adds the sample data. */
export async function fillStore(
  { store: url, idempotencyTtl, receipts, publicUrl, host, port }: Settings,
  platforms: DemoPlatforms,
  around: Surroundings,
  call: Call,
): Promise<DemoData> {
  const store = await openStore(url, { create: true }, retentionFor(idempotencyTtl), call);
  try {
    const administration = administrationOf(store.ports, platforms.printed);
    const rest = administrationOf(store.ports, platforms.rest);
    await addShop(rest, around, call);
    await addAffiliateHistory(rest, call);
    const data = await addSampleData(administration, rest, around.receiver, call);
    const signingKeys = receipts === 'on' ? await administration.exportSigningKeys(call) : null;
    const issuer = publicUrl ?? httpUrl(host, port);
    if (signingKeys !== null) await addDevices(rest, { entitlementId: data.entitlementId, issuer }, call);
    const { url: buyerPath } = await administration.createSupportLink({ ...data, expires: day }, call);
    const merchant = { id: 'opk_merchant', name: 'Pine Street Tools', products: ['metronome'], expiresAt: null };
    const { key } = await administration.issueOperatorKey({ ...merchant, scopes: scopesOfLimited }, call);
    return { ...data, signingKeys, buyerPath, merchantKey: key ?? '' };
  } finally {
    await store.close();
  }
}

/** Two machines of a buyer, each with a receipt for a day. */
async function addDevices(
  administration: Administration,
  to: Pick<OfflineReceiptRequest, 'entitlementId' | 'issuer'>,
  call: Call,
): Promise<void> {
  for (const [deviceId, name] of [
    ['desk-1f7a', 'Desktop in the studio'],
    ['laptop-90c2', 'Laptop'],
  ] as const) {
    await administration.issueOfflineReceipt({ ...to, expires: day, device: { deviceId, name } }, call);
  }
}

/**
 * Adds to two products of the shop a webhook endpoint each, tiers of one of them, sales of the last weeks, an app key,
 * and a license in every state.
 */
export async function addSampleData(
  administration: Administration,
  rest: Administration,
  receiver: Surroundings['receiver'],
  call: Call,
): Promise<Omit<DemoData, 'signingKeys' | 'buyerPath' | 'merchantKey'>> {
  for (const [id, terms] of Object.entries(tiers)) await rest.putTier({ productId: 'sketchpad', id }, terms, call);
  await rest.addWebhook({ id: 'whk_demo', url: receiver.url, productId: 'sketchpad', types: null }, call);
  await rest.addWebhook({ id: 'whk_broken', url: receiver.brokenUrl, productId: 'metronome', types: null }, call);
  await addPastSales(rest, call);
  const request = { id: null, productId: 'sketchpad', scopes, expiresAt: null };
  const { key } = await administration.issueAppKey(request, call);
  const grant = async (id: string, granted: Grant = monthly): Promise<string> =>
    (await administration.grantEntitlement({ grant: granted, id, licenseKey: null }, call)).licenseKey;
  const ago = (days: number): Date => new Date(call.now.getTime() - days * day);
  const run = (id: string, kind: 'suspend' | 'revoke' | 'past-due'): Promise<unknown> =>
    administration.runEntitlementCommand(id, { kind } satisfies EntitlementCommand, call);

  const licenseKey = await grant('ent_demo');
  const others = new Map([
    ['trialing', await grant('ent_trialing', { ...monthly, standing: 'trialing' })],
    ['past_due', await grant('ent_past_due')],
    ['suspended', await grant('ent_suspended')],
    ['revoked', await grant('ent_revoked')],
    ['expired', await grant('ent_expired', { ...monthly, currentPeriodStart: ago(60), currentPeriodEnd: ago(30) })],
    ['one_time', await grant('ent_one_time', { ...terms, kind: 'one_time', productId: 'metronome' })],
  ]);
  await run('ent_past_due', 'past-due');
  await run('ent_suspended', 'suspend');
  await run('ent_revoked', 'revoke');
  const operator = { id: 'opk_demo', name: 'Demo', products: null, scopes: operatorScopes, expiresAt: null };
  const { key: operatorKey } = await administration.issueOperatorKey(operator, call);
  return { appKey: key ?? '', operatorKey: operatorKey ?? '', entitlementId: 'ent_demo', licenseKey, others };
}

const tiers: Readonly<Record<string, TierTerms>> = {
  pro: { deviceLimit: 3, features: { projects: 10, sso: false }, trial: 14 * day },
  team: { deviceLimit: 10, features: { projects: 100, sso: true }, trial: null },
};

const terms = {
  productId: 'sketchpad',
  tierId: 'pro',
  tierName: 'Pro',
  standing: 'active',
  currentPeriodStart: null,
  reference: null,
} as const;

const monthly = {
  ...terms,
  kind: 'subscription',
  billingInterval: 'month',
  billingIntervalCount: 1,
  currentPeriodEnd: null,
  grace: day,
} as const;
