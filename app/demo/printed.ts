import type { DemoData } from './sample-data.ts';

/** The sample data as one line of JSON. */
export function demoJson(address: string, { others, ...data }: DemoData): string {
  return `${JSON.stringify({ address, ...data, otherLicenseKeys: Object.fromEntries(others) })}\n`;
}

/** A request to try for each operation. */
export function demoText(url: string, { appKey, entitlementId, licenseKey, others }: DemoData): string {
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
    '# Where the credentials are described (RFC 9728)',
    `curl -s ${url}/.well-known/oauth-protected-resource`,
    '# Every operation (OpenAPI 3.1)',
    `curl -s ${url}/openapi.json`,
    '# Whether the process answers, and whether it serves',
    `curl -s ${url}/livez`,
    `curl -s ${url}/readyz`,
    '',
  ].join('\n');
}
