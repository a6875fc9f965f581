import type { OfferedChange } from '../../../../../core/entitlement/administration/allowed-changes.ts';
import { defaultGrace } from '../../../../../core/entitlement/entitlement-command.ts';
import { billingIntervals, type BillingInterval } from '../../../../../core/entitlement/entitlement.ts';
import { intervalCountRule } from '../../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { durationRule } from '../../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import type { MemberRules } from '../../../../../core/parsing/read-members.ts';
import { displayNameRule, oneOf } from '../../../../../core/parsing/value-rule.ts';
import type { SeenCommand } from '../../../../../core/purchase/change-seen.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { offlineAgeRule } from '../../../../../core/receipt/issue-offline-receipt.ts';
import { instantText } from '../../display/dates.ts';
import type { Choice, Field, FormState } from '../../form/fields.ts';
import { proposed, readForm, type FormReading } from '../../form/form-reading.ts';
import type { ActionName } from '../purchase/action-names.ts';
import { termsText } from '../state/terms.ts';
import {
  anyText,
  billingChoices,
  graceField,
  graceHint,
  intervalCountField,
  licenseKeyField,
  tierFields,
} from './change-fields.ts';

/** The fields that a change asks for, as its page shows them first. */
export function fieldsOf(action: ActionName, purchase: Purchase): readonly Field[] {
  const { entitlement } = purchase;
  const end = entitlement.currentPeriodEnd;
  switch (action) {
    case 'renew':
      return [
        { name: 'currentPeriodEnd', label: 'New end of the period', input: 'instant', required: true, hint: 'In UTC.' },
        { ...graceField, hint: `${graceHint} Empty: 24h.` },
      ];
    case 'change-tier':
      return [
        ...tierFields,
        ...(end === null
          ? []
          : [
              { name: 'billingInterval', label: 'Billing', input: { one: [keptBilling(purchase), ...billingChoices] } },
              { ...intervalCountField, hint: 'Empty: 1 with another billing interval, otherwise as it is.' },
              {
                name: 'currentPeriodEnd',
                label: 'End of the period',
                input: 'instant' as const,
                hint: `In UTC. Empty: it stays ${instantText(end)}.`,
              },
              { ...graceField, hint: `${graceHint} Empty: it stays as it is.` },
            ]),
      ];
    case 'rotate-license':
      return [{ ...licenseKeyField, hint: 'A key that the buyer is to have. Empty: a new one is made.' }];
    case 'receipt':
      return [
        {
          name: 'expires',
          label: 'Holds for at most',
          input: 'code',
          hint: 'Such as 30d. Empty: 365d, or the longest time that this server allows.',
        },
      ];
    case 'suspend':
    case 'reinstate':
    case 'cancel':
    case 'resume':
    case 'revoke':
    case 'revoke-license':
      return [];
  }
}

/** What stands in the fields of a change at first. */
export function firstForm(action: ActionName, { entitlement, nextPeriodEnd }: Purchase): FormState {
  if (action === 'renew') return proposed({ currentPeriodEnd: nextPeriodEnd?.toISOString() });
  if (action !== 'change-tier') return proposed({});
  const { tierId, tierName } = entitlement;
  return proposed({ tierId, tierName });
}

/** Reads the command that a form gives. */
export function readCommand(
  action: Exclude<ActionName, 'receipt'>,
  purchase: Purchase,
  form: URLSearchParams,
): FormReading<SeenCommand> {
  const fields = fieldsOf(action, purchase);
  switch (action) {
    case 'renew': {
      const reading = readForm(fields, renewalRules, ['currentPeriodEnd'], form);
      if (reading.kind === 'wrong') return reading;
      return { kind: 'read', values: { kind: action, grace: defaultGrace, ...reading.values } };
    }
    case 'change-tier': {
      const reading = readForm(fields, tierRules, ['tierId', 'tierName'], form);
      if (reading.kind === 'wrong') return reading;
      return { kind: 'read', values: { kind: action, ...unchangedTerms, ...reading.values } };
    }
    case 'rotate-license': {
      const reading = readForm(fields, { licenseKey: anyText }, [], form);
      if (reading.kind === 'wrong') return reading;
      return { kind: 'read', values: { kind: action, licenseKey: reading.values.licenseKey ?? null } };
    }
    case 'suspend':
    case 'reinstate':
    case 'cancel':
    case 'resume':
    case 'revoke':
    case 'revoke-license':
      return { kind: 'read', values: { kind: action } };
  }
}

/** Reads how long a receipt may hold, in milliseconds; null for the default. */
export function readExpiry(purchase: Purchase, form: URLSearchParams): FormReading<{ readonly expires?: number }> {
  return readForm(fieldsOf('receipt', purchase), { expires: offlineAgeRule }, [], form);
}

const renewalRules: MemberRules<{ readonly currentPeriodEnd: Date; readonly grace?: number }> = {
  currentPeriodEnd: instantRule,
  grace: durationRule,
};

interface TierForm {
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval?: BillingInterval;
  readonly billingIntervalCount?: number;
  readonly currentPeriodEnd?: Date;
  readonly grace?: number;
}

const tierRules: MemberRules<TierForm> = {
  tierId: identifierRule,
  tierName: displayNameRule,
  billingInterval: oneOf(billingIntervals),
  billingIntervalCount: intervalCountRule,
  currentPeriodEnd: instantRule,
  grace: durationRule,
};

const unchangedTerms = { billingInterval: null, billingIntervalCount: null, currentPeriodEnd: null, grace: null };

function keptBilling({ entitlement }: Purchase): Choice {
  return ['', `Stays ${termsText(entitlement)}`];
}

/** The operation that the history has for each change. */
export const operationsOf = {
  renew: 'renewed',
  'change-tier': 'tier_changed',
  suspend: 'suspended',
  reinstate: 'reinstated',
  cancel: 'cancellation_scheduled',
  resume: 'cancellation_undone',
  revoke: 'revoked',
  'rotate-license': 'license_rotated',
  'revoke-license': 'license_revoked',
} as const satisfies Readonly<Record<OfferedChange | 'rotate-license' | 'revoke-license', string>>;
