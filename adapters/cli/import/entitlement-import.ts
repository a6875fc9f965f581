import type { Command } from 'commander';
import {
  importStatuses,
  standingAndHold,
  type EntitlementDraft,
  type ImportEntitlements,
  type ImportRefusal,
  type ImportStatus,
} from '../../../core/entitlement/administration/import-entitlements.ts';
import { grantOf, grantRules, requiredOfGrant, type WrittenGrant } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { GuessableKeys } from '../../../core/license/guessable-keys.ts';
import { licenseKeyRule } from '../../../core/license/license-key.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { readJsonLines, type LineError } from '../input/json-lines.ts';
import { refusalMessage } from '../output/refusal-messages.ts';
import { BadLine } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { importFile, type StoreDrafts } from './import-command.ts';
import { readJsonLine, type LineForm } from './import-line.ts';

/** Messages that name the members of a line; null for the message of a command. */
const messages: Readonly<Record<ImportRefusal, string | null>> = {
  product_not_found: 'productId must be that of a product; add it first.',
  period_end_too_early: 'currentPeriodEnd must be later than currentPeriodStart.',
  entitlement_exists: null,
  license_key_exists: null,
  reference_exists: null,
  invalid_license_key: null,
};

export function addEntitlementImport(group: Command, shell: Shell): void {
  group
    .command('import')
    .description(
      'add entitlements with the license keys that their buyers have, and create the store if it does not exist',
    )
    .argument('<file>', 'a file with one entitlement a line, as JSON, or - for standard input')
    .option('--dry-run', 'report what the import would do, and change nothing')
    .action(async (path: string, { dryRun }: { readonly dryRun?: true }, command: Command) => {
      const keys = new GuessableKeys();
      try {
        await importFile<EntitlementDraft>(shell, command, path, dryRun === true, {
          read: (content) => readJsonLines(content, entitlementOfJson),
          begin: (store, isDry) => notingKeys(isDry ? store.dryRunOfEntitlements() : store.importEntitlements, keys),
          logged: (entitlements) => ({ command: 'entitlement import', entitlements }),
        });
      } finally {
        if (keys.count > 0) shell.stderr.write(`${warning(keys.count)}\n`);
      }
    });
}

/** Imports, and notes the keys of the entitlements that are imported. */
function notingKeys(importAll: ImportEntitlements, keys: GuessableKeys): StoreDrafts<EntitlementDraft> {
  return async (drafts, call) => {
    const outcomes = await importAll(drafts, call);
    return outcomes.map((outcome, position) => {
      if (outcome.kind === 'refused') return errorOf(outcome.code);
      const key = drafts[position]?.licenseKey ?? null;
      if (key !== null) keys.add(key);
      return null;
    });
  };
}

function errorOf(code: ImportRefusal): LineError {
  return { code, error: messages[code] ?? refusalMessage(code) ?? code };
}

function warning(count: number): string {
  return `Warning: ${count} license keys are a common prefix and digits, so that others could be guessed; rotate them.`;
}

/** An entitlement as a line of a file has it. */
interface EntitlementLine extends Omit<WrittenGrant, 'status'> {
  readonly id: string;
  readonly status?: ImportStatus;
  readonly licenseKey?: string;
}

export const entitlementLine: LineForm<EntitlementLine> = {
  rules: { id: identifierRule, ...grantRules, status: oneOf(importStatuses), licenseKey: licenseKeyRule },
  required: ['id', ...requiredOfGrant],
};

/** The entitlement of a line. Throws `BadLine`. */
function entitlementOfJson(text: string): EntitlementDraft {
  const { id, licenseKey = null, status = 'active', ...written } = readJsonLine(text, entitlementLine);
  const { standing, hold } = standingAndHold(status);
  const reading = grantOf({ ...written, status: standing });
  if (reading.kind === 'grant') return { id, licenseKey, hold, grant: reading.grant };
  throw new BadLine(`${reading.member} does not go with billingInterval one_time, which never ends.`);
}
