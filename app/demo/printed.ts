import { day } from '../../core/parsing/duration.ts';
import type { PublishedKeys } from '../../core/receipt/signing-key.ts';
import type { Ports } from './first-day.ts';
import type { DemoData } from './sample-data.ts';

/** The sample data as one line of JSON. */
export function demoJson({ address, adminAddress }: Ports, { others, signingKeys, ...data }: DemoData): string {
  const otherLicenseKeys = Object.fromEntries(others);
  return `${JSON.stringify({ address, adminAddress, ...data, otherLicenseKeys, signingKeys })}\n`;
}

/** A request to try for each operation, those of the administration last. */
export function demoText({ address: url, adminAddress }: Ports, data: DemoData, now: Date): string {
  const { appKey, entitlementId, licenseKey, others, signingKeys } = data;
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
    ...(signingKeys === null ? [] : receiptLines(url, licenseKey, signingKeys)),
    ...(signingKeys === null ? [] : trialLines(url, 'sketchpad')),
    ...deviceLines(url, licenseKey),
    '# Read an entitlement',
    `curl -s ${entitlement} ${bearer}`,
    '# Cancel it at the end of its period',
    change('cancel', 'demo-cancel-1'),
    '# The same again: the first answer is replayed',
    change('cancel', 'demo-cancel-1'),
    '# Resume it',
    change('resume', 'demo-resume-1'),
    '# A link for its buyer, to open in a browser: see the license, cancel, resume, replace the key',
    `curl -s -X POST ${entitlement}/links ${bearer}`,
    '# End its links',
    `curl -s -X DELETE ${entitlement}/links ${bearer}`,
    '# What has happened so far, oldest first',
    `curl -s '${url}/api/app-events?limit=5' ${bearer}`,
    '# Where the credentials are described (RFC 9728)',
    `curl -s ${url}/.well-known/oauth-protected-resource`,
    ...(signingKeys === null ? [] : ['# The public keys of receipts', `curl -s ${url}/.well-known/jwks.json`]),
    '# Every operation (OpenAPI 3.1)',
    `curl -s ${url}/openapi.json`,
    '# Whether the process answers, and whether it serves',
    `curl -s ${url}/livez`,
    `curl -s ${url}/readyz`,
    ...administrationLines(adminAddress, data, now),
    '',
  ].join('\n');
}

/**
 * The lines that get a receipt, and that verify one as apps do: with the keys that they were shipped with, and without
 * the service.
 */
function receiptLines(url: string, licenseKey: string, { keys: [key] }: PublishedKeys): readonly string[] {
  const get = `curl -s ${url}/api/licenses/receipt -H 'Content-Type: application/json' -d '{"licenseKey":"${licenseKey}"}'`;
  const program = [
    'const [head, claims, signature] = JSON.parse(require("fs").readFileSync(0)).data.receipt.split(".")',
    `const key = ${JSON.stringify(key)}`,
    'const how = { key, format: "jwk", dsaEncoding: "ieee-p1363" }',
    'const bytes = (text) => Buffer.from(text, "base64url")',
    'const signed = require("crypto").verify("sha256", Buffer.from(head + "." + claims), how, bytes(signature))',
    'console.log(JSON.stringify({ signed, claims: JSON.parse(bytes(claims)) }))',
  ].join('; ');
  return [
    '# Get a receipt, which proves the license while the service is out of reach',
    get,
    '# Verify one with the public key, as an app that was shipped with it does',
    `${get} | node -e '${program}'`,
  ];
}

/** The line by which an app without a license key starts the trial of its device. */
function trialLines(url: string, productId: string): readonly string[] {
  const body = JSON.stringify({ productId, deviceId: '9b1d0c7e5a2f4e66' });
  return [
    '# Start the trial of a device without a license key; again, and it is the same',
    `curl -s ${url}/api/licenses/trial -H 'Content-Type: application/json' -d '${body}'`,
  ];
}

/** The lines by which an app takes a seat for its device, and releases it. */
function deviceLines(url: string, licenseKey: string): readonly string[] {
  const request = (operation: string, members: object = {}): string => {
    const body = JSON.stringify({ licenseKey, ...members });
    return `curl -s ${url}/api/licenses/${operation} -H 'Content-Type: application/json' -d '${body}'`;
  };
  const deviceId = '4f9c2f6a1d5e47d0';
  return [
    '# Take a seat for a device, with a receipt for it (repeat it: nothing changes)',
    request('activate', { deviceId, deviceName: 'A laptop' }),
    '# The devices of a license',
    request('devices'),
    '# Release the seat',
    request('deactivate', { deviceId }),
  ];
}

/** The requests of a billing system, a support desk and a key page. */
function administrationLines(
  url: string,
  { operatorKey, licenseKey, signingKeys }: DemoData,
  now: Date,
): readonly string[] {
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
    ...(signingKeys === null
      ? []
      : [
          '# Issue a receipt for a machine without a network',
          request('POST', 'entitlements/ent_demo/receipts', { expires: '365d' }),
        ]),
    '# Issue an app key',
    request('POST', 'products/sketchpad/app-keys', { id: 'key_shop' }),
  ];
}
