import { refusalMessage } from '../adapters/cli/output/refusal-messages.ts';
import { nodePlatform } from '../app/service/platform.ts';
import type { Administration } from '../core/administration/administration.ts';
import type { Call } from '../core/call.ts';
import type { GrantAnswer } from '../core/entitlement/administration/grant-entitlement.ts';
import { grantOf, grantRules, notFor, requiredOfGrant, type WrittenGrant } from '../core/entitlement/written-grant.ts';
import { identifierRule, isIdentifier } from '../core/identifier.ts';
import { appKeyKind, scopes } from '../core/key/app/app-key.ts';
import { newKey } from '../core/key/key-kind.ts';
import { licenseKeyRule } from '../core/license/license-key.ts';
import { readMembers, type MemberRules } from '../core/parsing/read-members.ts';
import { Refusal } from '../core/refusal.ts';
import type { StorePorts } from '../core/store/store.port.ts';
import type { GrantOptions } from './latchkey.ts';
import { knownOptions } from './options/known-options.ts';

interface WrittenOptions extends WrittenGrant {
  readonly id?: string;
  readonly licenseKey?: string;
}

const rules: MemberRules<WrittenOptions> = { ...grantRules, id: identifierRule, licenseKey: licenseKeyRule };

export const suitable = { tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;

/** Grants as the administration does. Throws `TypeError` for terms that cannot be granted, naming every mistake. */
export async function grantTo(
  { grantEntitlement }: Pick<Administration, 'grantEntitlement'>,
  options: GrantOptions,
  call: Call,
): Promise<GrantAnswer> {
  const all = { ...suitable, ...givenIn(knownOptions('grant', rules, options)) };
  const { id = null, licenseKey = null, ...written } = readOptions<WrittenOptions>(rules, requiredOfGrant, all);
  const reading = grantOf(written);
  if (reading.kind !== 'grant') throw new TypeError(`${reading.member} ${notFor(reading)}.`);
  try {
    return await grantEntitlement({ grant: reading.grant, id, licenseKey }, call);
  } catch (error) {
    throw error instanceof Refusal ? new TypeError(refusalMessage(error.code), { cause: error }) : error;
  }
}

/** The options that were given, with instants as texts. */
export function givenIn(options: object): Readonly<Record<string, unknown>> {
  const given = Object.entries(options).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [[name, value instanceof Date ? textOf(value) : value]],
  );
  return Object.fromEntries(given) as Record<string, unknown>;
}

/** Reads options by their rules. Throws `TypeError`, naming every mistake. */
export function readOptions<Values extends object>(
  memberRules: MemberRules<Values>,
  required: readonly (keyof Values & string)[],
  given: Readonly<Record<string, unknown>>,
): Values {
  const reading = readMembers(memberRules, required, given, 'read');
  if (reading.kind === 'read') return reading.values;
  throw new TypeError(reading.mistakes.map(({ member, problem }) => `${member} ${problem}.`).join(' '));
}

function textOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const { newAppKeyId, randomBytes, crc32, digest } = nodePlatform;
const makeKey = newKey(appKeyKind, newAppKeyId, randomBytes, crc32, digest);

/** The app keys of a service under test, one for each product. */
export class TestKeys {
  readonly #ports: StorePorts;
  readonly #newCall: () => Call;
  readonly #keys = new Map<string, string>();

  constructor(ports: StorePorts, newCall: () => Call) {
    this.#ports = ports;
    this.#newCall = newCall;
  }

  /** The products that have a key, in the order in which they were named. */
  get products(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** Returns the key of a product. The memory store has it, and the product, before any request can arrive. */
  of(productId: string): string {
    const known = this.#keys.get(productId);
    if (known !== undefined) return known;
    if (!isIdentifier(productId)) throw new TypeError(`productId ${identifierRule.rule}.`);
    const call = this.#newCall();
    const { key, facts } = makeKey(null, call.now);
    void this.#ports.products.add({ id: productId, name: productId, createdAt: call.now }, call);
    void this.#ports.allAppKeys.add({ ...facts, productId, scopes, expiresAt: null }, call);
    this.#keys.set(productId, key);
    return key;
  }
}
