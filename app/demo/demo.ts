import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailed } from '../../adapters/cli/shell/errors.ts';
import { seededBytes } from '../../adapters/crypto/node-secrets.ts';
import { scopes } from '../../core/access/scope.ts';
import { administrationOf, type Administration } from '../../core/administration/administration.ts';
import type { Platform } from '../../core/administration/platform.ts';
import type { Call } from '../../core/call.ts';
import type { EntitlementCommand } from '../../core/entitlement/entitlement-command.ts';
import type { Grant } from '../../core/entitlement/grant.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { serve, type ServeParts } from '../server/serve.ts';
import { newCall } from '../service/new-call.ts';
import { nodePlatform, platformWith } from '../service/platform.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../stores/open-store.ts';
import { demoCatalog } from './catalog.ts';

/** What the printed requests need to know of the sample data. */
interface DemoData {
  readonly appKey: string;
  readonly entitlementId: string;
  readonly licenseKey: string;
  /** License keys of other entitlements by status, and of one that was bought once. */
  readonly others: ReadonlyMap<string, string>;
}

export interface DemoOptions {
  readonly print: (text: string) => void;
  readonly json: boolean;
  /** The same seed makes the same keys and ids; null makes random ones. */
  readonly seed: string | null;
}

/**
 * Serves sample data from a store in a temporary folder, which is removed at the end, and prints a request to try for
 * each operation. Throws `CommandFailed` if the folder cannot be created.
 */
export async function demo(settings: Settings, parts: ServeParts, { print, json, seed }: DemoOptions): Promise<void> {
  const folder = await temporaryFolder();
  const own: Settings = { ...settings, store: `sqlite:${join(folder, 'latchkey.db')}` };
  const platform = seed === null ? nodePlatform : platformWith(seededBytes(seed));
  try {
    const data = await fillStore(own, platform, newCall(parts.clock(), settings.storeDeadline, 'command:demo'));
    await serve(own, parts, (url) => print(json ? demoJson(url, data) : demoText(url, data)));
  } finally {
    // The folder may be gone already, where temporary files are cleaned up.
    await rm(folder, { recursive: true, force: true });
  }
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'latchkey-demo-'));
  } catch (cause) {
    throw new CommandFailed(
      'demo_folder_unusable',
      `The demo cannot write to ${tmpdir()}, where it keeps its store: set TMPDIR to a folder that is writable.`,
      { cause },
    );
  }
}

async function fillStore({ store: url, idempotencyTtl }: Settings, platform: Platform, call: Call): Promise<DemoData> {
  const store = await openStore(url, { create: true }, retentionFor(idempotencyTtl), call);
  try {
    return await addSampleData(administrationOf(store.ports, platform), call);
  } finally {
    await store.close();
  }
}

const day = 86_400_000;

/** Adds two products, an app key, a license in every state, and a catalog. */
async function addSampleData(administration: Administration, call: Call): Promise<DemoData> {
  await administration.addProduct('sketchpad', 'Sketchpad', call);
  await administration.addProduct('metronome', 'Metronome', call);
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
  await administration.importListings(demoCatalog(call.now), call);
  return { appKey: key ?? '', entitlementId: 'ent_demo', licenseKey, others };
}

const terms = {
  productId: 'sketchpad',
  tierId: 'pro',
  tierName: 'Pro',
  standing: 'active',
  currentPeriodStart: null,
} as const;

const monthly = {
  ...terms,
  kind: 'subscription',
  billingInterval: 'month',
  currentPeriodEnd: null,
  grace: day,
} as const;

function demoJson(address: string, { others, ...data }: DemoData): string {
  return `${JSON.stringify({ address, ...data, otherLicenseKeys: Object.fromEntries(others) })}\n`;
}

function demoText(url: string, { appKey, entitlementId, licenseKey, others }: DemoData): string {
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
