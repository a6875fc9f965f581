import { refusalMessage } from '../adapters/cli/output/refusal-messages.ts';
import type { Administration } from '../core/administration/administration.ts';
import type { Call } from '../core/call.ts';
import type { GrantAnswer } from '../core/entitlement/administration/grant-entitlement.ts';
import { grantOf, grantRules, requiredOfGrant, type WrittenGrant } from '../core/entitlement/written-grant.ts';
import { identifierRule } from '../core/identifier.ts';
import { licenseKeyRule } from '../core/license/license-key.ts';
import { readMembers, type MemberRules } from '../core/parsing/read-members.ts';
import { Refusal } from '../core/refusal.ts';
import type { GrantOptions } from './latchkey.ts';

interface WrittenOptions extends WrittenGrant {
  readonly id?: string;
  readonly licenseKey?: string;
}

const rules: MemberRules<WrittenOptions> = { ...grantRules, id: identifierRule, licenseKey: licenseKeyRule };

const suitable = { tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;

/** Grants as the administration does. Throws `TypeError` for terms that cannot be granted, naming every mistake. */
export async function grantTo(
  { grantEntitlement }: Pick<Administration, 'grantEntitlement'>,
  options: GrantOptions,
  call: Call,
): Promise<GrantAnswer> {
  const { id = null, licenseKey = null, ...written } = readOptions(options);
  const reading = grantOf(written);
  if (reading.kind === 'not for a purchase')
    throw new TypeError(`${reading.member} does not go with billingInterval one_time, which never ends.`);
  try {
    return await grantEntitlement({ grant: reading.grant, id, licenseKey }, call);
  } catch (error) {
    throw error instanceof Refusal ? new TypeError(refusalMessage(error.code), { cause: error }) : error;
  }
}

function readOptions(options: GrantOptions): WrittenOptions {
  const given = Object.entries(options).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [[name, value instanceof Date ? textOf(value) : value]],
  );
  const all = { ...suitable, ...(Object.fromEntries(given) as object) };
  const reading = readMembers(rules, requiredOfGrant, all, 'read');
  if (reading.kind === 'read') return reading.values;
  throw new TypeError(reading.mistakes.map(({ member, problem }) => `${member} ${problem}.`).join(' '));
}

function textOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
