import { LatchkeyClient, LatchkeyError, type Entitlement, type ListingQuery, type Verification } from 'latchkey/client';

interface Demo {
  readonly address: string;
  readonly appKey: string;
  readonly entitlementId: string;
  readonly licenseKey: string;
}

const { address, appKey, entitlementId, licenseKey }: Demo = JSON.parse(process.env['DEMO'] ?? '');
const latchkey = new LatchkeyClient({ baseUrl: address, appKey, retries: 1, timeout: 5000 });
const query: ListingQuery = { sort: 'reward', minCommission: 20 };

// @ts-expect-error a minimum that the service ignores
const wrong: ListingQuery = { minCommission: 25 };

function accessOf(verification: Verification): string | null {
  // @ts-expect-error there is no entitlement before the verdict is known
  void verification.entitlement;
  if (verification.verdict === 'unavailable') return verification.error.code;
  return verification.verdict === 'valid' ? verification.entitlement.tierId : verification.reason;
}

const { data, meta } = await latchkey.listings.list(query, { signal: AbortSignal.timeout(5000) });
const entitlement: Entitlement = await latchkey.entitlements.get(entitlementId);
const access = accessOf(await latchkey.licenses.verify(licenseKey));
const refused = await latchkey.entitlements.get('none').catch((error: unknown) => {
  if (error instanceof LatchkeyError && error.code === 'entitlement_not_found') return null;
  throw error;
});
if (data.length > meta.total || entitlement.status !== 'active' || access !== 'pro' || refused !== null || !wrong)
  throw new Error(JSON.stringify([meta, entitlement, access, refused]));
