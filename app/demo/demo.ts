import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { scopes } from '../../core/access/scope.ts';
import { administrationOf, type Administration } from '../../core/administration/administration.ts';
import type { Call, Clock } from '../../core/call.ts';
import type { EntitlementCommand } from '../../core/entitlement/entitlement-command.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { Grant } from '../../core/entitlement/grant.ts';
import { newCall } from '../service/new-call.ts';
import { nodePlatform } from '../service/platform.ts';
import { demoCatalog } from './catalog.ts';
import { serve } from '../service/serve.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../stores/open-store.ts';

/** What the demo's `curl` lines are about. */
interface DemoData {
  readonly appKey: string;
  readonly entitlementId: string;
  readonly licenseKey: string;
  /** License keys by what is particular about their entitlements: a status, or that they are bought once. */
  readonly others: ReadonlyMap<string, string>;
}

export interface DemoOutput {
  readonly print: (text: string) => void;
  readonly json: boolean;
}

/** Serves sample data from a store of its own, which is removed at the end, and prints a line to try for each operation. */
export async function demo(settings: Settings, clock: Clock, log: Logger, output: DemoOutput): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-demo-'));
  const own: Settings = { ...settings, store: `sqlite:${join(folder, 'latchkey.db')}` };
  try {
    const call = newCall(clock(), settings.storeDeadline);
    const store = await openStore(own.store, { create: true }, retentionFor(own.idempotencyTtl), call);
    const data = await fillDemo(administrationOf(store.ports, nodePlatform), call);
    await store.close();
    await serve(own, clock, log, async (url) => output.print(output.json ? demoJson(url, data) : demoText(url, data)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const day = 86_400_000;

/** Two products, an app key, a license in every state, and a catalog. */
async function fillDemo(administration: Administration, call: Call): Promise<DemoData> {
  await administration.addProduct('sketchpad', 'Sketchpad', call);
  await administration.addProduct('metronome', 'Metronome', call);
  const { key } = await administration.issueAppKey({ productId: 'sketchpad', scopes, expiresAt: null }, call);
  const grant = async (id: string, granted: Grant = monthly): Promise<string> =>
    (await administration.grantEntitlement({ grant: granted, id, licenseKey: null }, call)).licenseKey;
  const ago = (days: number): Date => new Date(call.now.getTime() - days * day);
  const administer = (id: string, kind: 'suspend' | 'revoke' | 'past-due'): Promise<unknown> =>
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
  await administer('ent_past_due', 'past-due');
  await administer('ent_suspended', 'suspend');
  await administer('ent_revoked', 'revoke');
  await administration.importListings(demoCatalog(call.now), call);
  return { appKey: key, entitlementId: 'ent_demo', licenseKey, others };
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
