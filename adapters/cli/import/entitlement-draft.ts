import type { EntitlementDraft } from '../../../core/entitlement/administration/import-entitlements.ts';
import { grantOf, grantRules, requiredOfGrant, type WrittenGrant } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { licenseKeyRule } from '../../../core/license/license-key.ts';
import { BadLine } from '../shell/errors.ts';
import { readJsonLine, type LineForm } from './import-line.ts';

/** An entitlement as a line of a file has it. */
interface EntitlementLine extends WrittenGrant {
  readonly id: string;
  readonly licenseKey?: string;
}

export const entitlementLine: LineForm<EntitlementLine> = {
  rules: { id: identifierRule, ...grantRules, licenseKey: licenseKeyRule },
  required: ['id', ...requiredOfGrant],
};

/** The entitlement of a line. Throws `BadLine`. */
export function entitlementOfJson(text: string): EntitlementDraft {
  const { id, licenseKey = null, ...written } = readJsonLine(text, entitlementLine);
  const reading = grantOf(written);
  if (reading.kind === 'grant') return { id, licenseKey, grant: reading.grant };
  throw new BadLine(`${reading.member} does not go with billingInterval one_time, which never ends.`);
}
