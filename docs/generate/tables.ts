import { entitlementLine } from '../../adapters/cli/import/entitlement-import.ts';
import type { LineForm } from '../../adapters/cli/import/import-line.ts';
import { listingLine } from '../../adapters/cli/import/listing-csv.ts';
import { refusalMessages } from '../../adapters/cli/output/refusal-messages.ts';
import { defaultRateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { operationsByScope } from '../../adapters/http/openapi/admin-api.ts';
import { errorCodesOf, ofEveryOperation as sharedCodes } from '../../adapters/http/openapi/error-codes.ts';
import { responsesOf } from '../../adapters/http/openapi/responses.ts';
import type { DescribedOperation, Operation } from '../../adapters/http/operations/operation.ts';
import { refusals, type ErrorCode } from '../../adapters/http/refusals.ts';
import { allSettings } from '../../app/settings/settings.ts';
import { noAffiliateMembers } from '../../core/catalog/affiliate-members.ts';
import { pageMembers } from '../../core/catalog/page-members.ts';
import { compareCodePoints } from '../../core/code-points.ts';
import type { ValueRule } from '../../core/parsing/value-rule.ts';

/** Every setting with its variable, flag and default. */
export function settingsTable(): string {
  const rows = allSettings.map((setting) => {
    const { env, flag, help, default: text } = setting;
    return [code(env), code(flag), text === null ? '' : code(text), help];
  });
  return table(['environment', 'flag', 'default', 'meaning'], rows);
}

/** Every setting as a line of an environment file that is taken out, with what it is. */
export function environmentExample(): string {
  const settings = allSettings.map((setting) => {
    const { env, help, default: text, secret } = setting;
    const file = secret === undefined ? '' : `\n# ${env}_FILE names a file with the value.`;
    return `# ${help}${file}\n#${env}=${text ?? ''}\n`;
  });
  return `${environmentHead}\n${settings.join('\n')}`;
}

const environmentHead = `# All settings of Latchkey with their defaults. Copy this file to .env, which compose.yaml reads, and take out the # before
# those that you set. compose.yaml sets HOST itself, PORT and ADMIN_PORT are the ports of this machine there, and the store is
# sqlite:/data/latchkey.db by default.
# docs/settings.md says more about each setting.
`;

/** Every operation with its scope and its own statuses, and the statuses that all of them share. */
export function operationsTable(operations: readonly DescribedOperation[]): string {
  const rows = operations.map((operation) => {
    const own = errorCodesOf(operation).filter((each) => !sharedCodes.includes(each));
    const successes = Object.keys(responsesOf(operation, {})).filter((status) => Number(status) < 400);
    return [
      code(`${operation.method} ${pathOf(operation)}`),
      operation.caller === 'anyone' ? 'public' : code(operation.access),
      [...successes, ...statusesOf(own)].join(', '),
    ];
  });
  const shared = statusesOf(sharedCodes).join(', ');
  return `${table(['operation', 'scope', 'statuses'], rows)}\n\nAny operation may also answer ${shared}.`;
}

/** Every error code with its status and its message. */
export function errorCodesTable(): string {
  const rows = Object.entries(refusals).map(([name, [status, message]]) => [
    String(status),
    code(name),
    message.replaceAll('<', String.raw`\<`),
  ]);
  return table(['status', '`Error-Code`', 'message, unless a more specific one is known'], rows);
}

/** Every refusal of a command, with its message. */
export function commandRefusalsTable(): string {
  return table(
    ['`code`', '`error`'],
    Object.entries(refusalMessages)
      .map(([name, message]) => [code(name), message] as const)
      .toSorted(([one], [other]) => compareCodePoints(one, other)),
  );
}

/** The members of a line of `listing import`. */
export function listingMembersTable(): string {
  return membersTable(listingLine, {
    id: 'a new one, or that of the slug',
    productId: 'none, or that of the slug',
    storefrontCount: '0',
    featured: '`false`',
    publishedAt: 'now',
    upfrontCents: '0',
    ...Object.fromEntries(pageMembers.map((name) => [name, 'none'])),
    state: '`live`',
    affiliates: '`none`',
    saleUrl: 'none',
    holdDays: String(noAffiliateMembers.holdDays),
  });
}

/** The members of a line of `entitlement import`. */
export function entitlementMembersTable(): string {
  return membersTable(entitlementLine, {
    currentPeriodStart: 'now',
    billingIntervalCount: '1',
    currentPeriodEnd: '`billingIntervalCount` intervals after the start',
    accessEndsAt: 'never',
    updatesUntil: 'none',
    deviceLimit: 'that of its [tier](tiers.md), else none',
    status: '`active`',
    grace: '`24h`',
    reference: 'none',
    licenseKey: 'no license, until `license rotate`',
  });
}

function membersTable<Values>(line: LineForm<Values>, defaults: Readonly<Record<string, string>>): string {
  const rows = Object.entries<ValueRule<unknown>>(line.rules).map(([name, { rule }]) => {
    const isRequired = line.required.some((each) => each === name);
    const otherwise = isRequired ? 'required' : defaults[name];
    if (otherwise === undefined) throw new Error(`the default of ${name} is not documented`);
    return [code(name), otherwise, rule];
  });
  return table(['member or column', 'default', 'rule'], rows);
}

/** The limits of `RATE_LIMITS=on`, for the operations that it limits. */
export function rateLimitsTable(operations: readonly Pick<Operation, 'id' | 'caller'>[]): string {
  const rows = operations.flatMap(({ id, caller }) => {
    const limit = defaultRateLimits[id];
    return limit === undefined ? [] : [[code(id), String(limit), caller === 'anyone' ? 'client address' : 'product']];
  });
  const merchants = [
    code('merchants'),
    String(defaultRateLimits['merchants']),
    'first product of a limited operator key',
  ];
  return table(['operation', 'requests a minute', 'counted by'], [...rows, merchants]);
}

/** Every scope of operator keys, with the operations that it allows. */
export function operatorScopesTable(administration: readonly Operation[]): string {
  const rows = operationsByScope(administration).map(([scope, ids]) => [code(scope), ids.map(code).join(', ')]);
  return table(['scope', 'operations'], rows);
}

function pathOf({ path }: DescribedOperation): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function statusesOf(codes: readonly ErrorCode[]): readonly number[] {
  return [...new Set(codes.map((each) => refusals[each][0]))].toSorted((a, b) => a - b);
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [rowOf(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(rowOf)].join('\n');
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}
