import {
  importStatuses,
  standingAndHold,
  type EntitlementDraft,
  type ImportEntitlements,
  type ImportRefusal,
  type ImportStatus,
} from '../../../core/entitlement/administration/import-entitlements.ts';
import {
  grantOf,
  grantRules,
  notFor,
  requiredOfGrant,
  type WrittenGrant,
} from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { GuessableKeys } from '../../../core/license/guessable-keys.ts';
import { licenseKeyRule } from '../../../core/license/license-key.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { readJsonLines, type LineError } from '../input/json-lines.ts';
import { refusalMessage } from '../output/refusal-messages.ts';
import { writeError } from '../output/shown-text.ts';
import { BadLine } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import type { Import, StoreDrafts } from './import-command.ts';
import { readJsonLine, type LineForm } from './import-line.ts';

/** Messages that name the members of a line; null for the message of a command. */
const messages: Readonly<Record<ImportRefusal, string | null>> = {
  product_not_found: 'productId must be that of a product; add it first.',
  period_end_too_early: 'currentPeriodEnd, or accessEndsAt, must be later than currentPeriodStart.',
  entitlement_exists: null,
  license_key_exists: null,
  reference_exists: null,
  invalid_license_key: null,
};

/** How a file with entitlements is read, and what the log says of it. */
export const entitlementsOfLines: Pick<Import<EntitlementDraft>, 'read' | 'logged'> = {
  read: (content) => readJsonLines(content, entitlementOfJson),
  logged: (entitlements) => ({ command: 'entitlement import', entitlements }),
};

/** Runs an import of entitlements, and warns of keys that could be guessed. */
export async function warningOfKeys(
  { stderr }: Shell,
  work: (begin: Import<EntitlementDraft>['begin']) => Promise<void>,
): Promise<void> {
  const keys = new GuessableKeys();
  try {
    await work((store, isDry) => notingKeys(isDry ? store.dryRunOfEntitlements() : store.importEntitlements, keys));
  } finally {
    if (keys.count > 0) writeError({ stderr }, `${warning(keys.count)}\n`);
  }
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

/** The error of a line whose entitlement was refused. */
export function errorOf(code: ImportRefusal): LineError {
  return { code, error: messages[code] ?? refusalMessage(code) ?? code };
}

function warning(count: number): string {
  return `Warning: ${count} license keys are a common prefix and digits, so others can be guessed; rotate them.`;
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
export function entitlementOfJson(text: string): EntitlementDraft {
  const { id, licenseKey = null, status = 'active', ...written } = readJsonLine(text, entitlementLine);
  const { standing, hold } = standingAndHold(status);
  const reading = grantOf({ ...written, status: standing });
  if (reading.kind === 'grant') return { id, licenseKey, hold, grant: reading.grant };
  throw new BadLine(`${reading.member} ${notFor(reading)}.`);
}
