import { day } from '../../core/parsing/duration.ts';
import type { DemoData } from './sample-data.ts';

interface DemoAddresses {
  readonly address: string;
  readonly adminAddress: string;
}

/** The sample data as one line of JSON. */
export function demoJson(addresses: DemoAddresses, { others, ...data }: DemoData): string {
  return `${JSON.stringify({ ...addresses, ...data, otherLicenseKeys: Object.fromEntries(others) })}\n`;
}

/** Where to look with a browser. */
export function pagesText(url: string): string {
  return `# In a browser: the marketplace at ${url}/, and every operation to try at ${url}/docs\n`;
}

/** A request to try for each operation, those of the administration last. */
export function demoText({ address: url, adminAddress }: DemoAddresses, data: DemoData, now: Date): string {
  const { appKey, entitlementId, licenseKey, others } = data;
  const verify = (key: string): string =>
    `curl -s ${url}/api/licenses/verify -H 'Content-Type: application/json' -d '{"licenseKey":"${key}"}'`;
  const entitlement = `${url}/api/app-entitlements/${entitlementId}`;
  const bearer = `-H 'Authorization: Bearer ${appKey}'`;
  const change = (operation: string, key: string): string =>
    `curl -s -X POST ${entitlement}/${operation} ${bearer} -H 'Idempotency-Key: ${key}'`;
  const listings = `${url}/api/marketplace/listings`;
  return [
    '# Browse the catalog',
    `curl -s ${listings}`,
    '# Search it, filter it, and put the best paid first',
    `curl -s '${listings}?q=photo&minCommission=20&sort=reward&limit=5'`,
    '# One listing',
    `curl -s ${listings}/quiet-editor`,
    '# Join the waitlist',
    `curl -s ${url}/api/waitlist -H 'Content-Type: application/json' -d '{"email":"ada@example.com","role":"creator"}'`,
    '# Verify a license key: valid',
    verify(licenseKey),
    ...[...others].flatMap(([status, key]) => [`# ${status}`, verify(key)]),
    '# Read an entitlement',
    `curl -s ${entitlement} ${bearer}`,
    '# Cancel it at the end of its period',
    change('cancel', 'demo-cancel-1'),
    '# The same again: the first answer is replayed',
    change('cancel', 'demo-cancel-1'),
    '# Resume it',
    change('resume', 'demo-resume-1'),
    '# What has happened so far, oldest first',
    `curl -s '${url}/api/app-events?limit=5' ${bearer}`,
    '# Where the credentials are described (RFC 9728)',
    `curl -s ${url}/.well-known/oauth-protected-resource`,
    '# Every operation (OpenAPI 3.1)',
    `curl -s ${url}/openapi.json`,
    '# Whether the process answers, and whether it serves',
    `curl -s ${url}/livez`,
    `curl -s ${url}/readyz`,
    ...administrationLines(adminAddress, data, now),
    '',
  ].join('\n');
}

/** What a billing system, a support desk and a key page send. */
function administrationLines(url: string, { operatorKey, licenseKey }: DemoData, now: Date): readonly string[] {
  const bearer = `-H 'Authorization: Bearer ${operatorKey}'`;
  const request = (method: string, path: string, body?: object): string => {
    const content = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    return `curl -s -X ${method} ${url}/admin/${path} ${bearer}${content}`;
  };
  const entitlement = 'entitlements/ent_shop_1';
  const terms = { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
  const end = new Date(now.getTime() + 90 * day).toISOString();
  return [
    '# Administer: grant an entitlement (repeat it: nothing changes)',
    request('PUT', entitlement, { ...terms, reference: 'sub_1' }),
    '# Show it',
    request('GET', entitlement),
    '# Renew it',
    request('POST', `${entitlement}/renew`, { currentPeriodEnd: end }),
    '# Change its tier',
    request('POST', `${entitlement}/change-tier`, { tierId: 'team', tierName: 'Team' }),
    '# Suspend it',
    request('POST', `${entitlement}/suspend`),
    '# Find an entitlement by its license key',
    request('POST', 'licenses/find', { licenseKey }),
    '# Issue an app key',
    request('POST', 'products/sketchpad/app-keys', { id: 'key_shop' }),
  ];
}
