import {
  importStatuses,
  standingAndHold,
  type EntitlementDraft,
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
import { licenseKeyRule } from '../../../core/license/license-key.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import type { LineError } from '../input/json-lines.ts';
import { refusalMessage } from '../output/refusal-messages.ts';
import { BadLine } from '../shell/errors.ts';
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

/** The error of a line whose entitlement was refused. */
export function errorOf(code: ImportRefusal): LineError {
  return { code, error: messages[code] ?? refusalMessage(code) ?? code };
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
