import { parseDuration } from '../input/duration.ts';
import { defaultGrace } from '../../../core/entitlement/entitlement-command.ts';
import { billingTerms, standings, type BillingTerm, type Standing } from '../../../core/entitlement/entitlement.ts';
import type { EntitlementDraft } from '../../../core/entitlement/administration/import-entitlements.ts';
import { parseInstant } from '../input/instant.ts';
import {
  aDuration,
  aLicenseKey,
  anIdentifier,
  anInstant,
  aName,
  BadLine,
  jsonOf,
  lineSchema,
  oneOfThese,
} from '../input/line-schema.ts';

/** An entitlement as a line of a file has it. */
interface WrittenEntitlement {
  readonly id: string;
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingTerm;
  readonly currentPeriodStart?: string;
  readonly currentPeriodEnd?: string;
  readonly status?: Standing;
  readonly grace?: string;
  readonly licenseKey?: string;
}

const read = lineSchema<WrittenEntitlement>(
  {
    id: anIdentifier,
    productId: anIdentifier,
    tierId: anIdentifier,
    tierName: aName,
    billingInterval: oneOfThese(billingTerms),
    currentPeriodStart: anInstant,
    currentPeriodEnd: anInstant,
    status: oneOfThese(standings),
    grace: aDuration,
    licenseKey: aLicenseKey,
  },
  ['id', 'productId', 'tierId', 'tierName', 'billingInterval'],
  { coerceTypes: false },
);

/** The entitlement of a JSON text, unknown members aside; one that is null is left out. Throws `BadLine`. */
export function draftOfLine(text: string): EntitlementDraft {
  const { id, licenseKey = null, ...terms } = read(withoutNulls(jsonOf(text)));
  return { id, licenseKey, grant: grantOf(terms) };
}

function grantOf(written: Omit<WrittenEntitlement, 'id' | 'licenseKey'>): EntitlementDraft['grant'] {
  const { productId, tierId, tierName, billingInterval, currentPeriodEnd, grace, status = 'active' } = written;
  const currentPeriodStart = instantOf(written.currentPeriodStart);
  const terms = { productId, tierId, tierName, standing: status, currentPeriodStart };
  if (billingInterval !== 'one_time') {
    const milliseconds = grace === undefined ? null : parseDuration(grace);
    const period = { currentPeriodEnd: instantOf(currentPeriodEnd), grace: milliseconds ?? defaultGrace };
    return { kind: 'subscription', ...terms, billingInterval, ...period };
  }
  const [tooMuch] = Object.entries({ currentPeriodEnd, grace }).find(([, value]) => value !== undefined) ?? [];
  if (tooMuch === undefined) return { kind: 'one_time', ...terms };
  throw new BadLine(`${tooMuch} does not go with billingInterval one_time, which never ends.`);
}

function instantOf(text: string | undefined): Date | null {
  return text === undefined ? null : parseInstant(text);
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}
