import { linkTimeRule } from '../../../../../core/buyer/buyer-link.ts';
import type { Call } from '../../../../../core/call.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { billingIntervals, type BillingInterval } from '../../../../../core/entitlement/entitlement.ts';
import { intervalCountRule, ownLimitRule } from '../../../../../core/entitlement/written-grant.ts';
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
import { mistakesIn, proposed, readForm, type FormReading } from '../../form/form-reading.ts';
import type { AskedAction, Change, Handout } from '../purchase/action-names.ts';
import { termsText } from '../state/terms.ts';
import {
  anyText,
  billingChoices,
  graceField,
  graceHint,
  intervalCountField,
  licenseKeyField,
  tierFields,
  updatesField,
} from './change-fields.ts';

/** The form of a change. */
interface ChangeForm {
  readonly fields: (entitlement: FullSnapshot) => readonly Field[];
  /** What stands in the fields at first. */
  readonly first?: (purchase: Purchase) => FormState;
  readonly read: (asked: Asked, form: URLSearchParams) => FormReading<SeenCommand>;
}

/** What a form is about. */
interface Asked {
  readonly fields: readonly Field[];
  readonly entitlement: FullSnapshot;
  readonly now: Date;
}

interface TierForm {
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval?: BillingInterval;
  readonly billingIntervalCount?: number;
  readonly currentPeriodEnd?: Date;
  readonly grace?: number;
  readonly updatesUntil?: Date;
}

const tierRules: MemberRules<TierForm> = {
  tierId: identifierRule,
  tierName: displayNameRule,
  billingInterval: oneOf(billingIntervals),
  billingIntervalCount: intervalCountRule,
  currentPeriodEnd: instantRule,
  grace: durationRule,
  updatesUntil: instantRule,
};

const unchangedTerms = { billingInterval: null, billingIntervalCount: null, currentPeriodEnd: null, grace: null };

function keptBilling(entitlement: FullSnapshot): Choice {
  return ['', `Stays ${termsText(entitlement)}`];
}

/** The changes that ask for more than a yes. */
const forms: Readonly<Partial<Record<Change, ChangeForm>>> = {
  'change-tier': {
    fields: (entitlement) => [...tierFields, ...termFields(entitlement)],
    first: ({ entitlement: { tierId, tierName } }) => proposed({ tierId, tierName }),
    read: ({ fields }, form) =>
      read(readForm(fields, tierRules, ['tierId', 'tierName'], form), (values) => ({
        kind: 'change-tier',
        ...unchangedTerms,
        ...values,
      })),
  },
  allow: {
    fields: () => [
      {
        name: 'deviceLimit',
        label: 'Devices',
        input: 'code',
        required: true,
        hint: 'How many may use the license at once: a number, unlimited, or tier for the limit of its tier.',
      },
    ],
    first: ({ entitlement: { own, deviceLimit } }) =>
      proposed({ deviceLimit: String(own.deviceLimit ?? (deviceLimit === null ? 'unlimited' : 'tier')) }),
    read: ({ fields }, form) =>
      read(readForm(fields, { deviceLimit: ownLimitRule }, ['deviceLimit'], form), ({ deviceLimit }) => ({
        kind: 'allow',
        deviceLimit: deviceLimit === 'tier' ? null : deviceLimit,
      })),
  },
  'rotate-license': {
    fields: () => [{ ...licenseKeyField, hint: 'A key that the buyer is to have. Empty: a new one is made.' }],
    read: ({ fields }, form) =>
      read(readForm(fields, { licenseKey: anyText }, [], form), ({ licenseKey = null }) => ({
        kind: 'rotate-license',
        licenseKey,
      })),
  },
  'move-license': {
    fields: () => [
      {
        name: 'to',
        label: 'Entitlement that gets the license',
        input: 'code',
        required: true,
        hint: 'The id of the one that the buyer has now, of the same product.',
      },
    ],
    read: ({ fields }, form) =>
      read(readForm(fields, { to: identifierRule }, ['to'], form), ({ to }) => ({ kind: 'move-license', to })),
  },
};

function read<Values>(
  reading: FormReading<Values>,
  commandOf: (values: Values) => SeenCommand,
): FormReading<SeenCommand> {
  return reading.kind === 'wrong' ? reading : { kind: 'read', values: commandOf(reading.values) };
}

function termFields(entitlement: FullSnapshot): readonly Field[] {
  const { currentPeriodEnd, accessEndsAt, updatesUntil } = entitlement;
  const updates: Field = { ...updatesField, hint: keptHint(updatesUntil, 'as it is') };
  if (currentPeriodEnd === null) {
    const end = { name: 'currentPeriodEnd', label: 'End of the access', input: 'instant' } as const;
    return [{ ...end, hint: keptHint(accessEndsAt, 'without an end') }, updates];
  }
  return [
    { name: 'billingInterval', label: 'Billing', input: { one: [keptBilling(entitlement), ...billingChoices] } },
    { ...intervalCountField, hint: 'Empty: 1 with another billing interval, otherwise as it is.' },
    {
      name: 'currentPeriodEnd',
      label: 'End of the period',
      input: 'instant',
      hint: keptHint(currentPeriodEnd, 'as it is'),
    },
    { ...graceField, hint: `${graceHint} Empty: it stays as it is.` },
    updates,
  ];
}

function keptHint(present: Date | null, otherwise: string): string {
  return `In UTC. Empty: it stays ${present === null ? otherwise : instantText(present)}.`;
}

/** The fields that an action asks for. */
export function fieldsOf(action: AskedAction, entitlement: FullSnapshot): readonly Field[] {
  return isHandout(action) ? handoutFields[action] : (forms[action]?.fields(entitlement) ?? []);
}

export function firstForm(action: AskedAction, purchase: Purchase): FormState {
  return (isHandout(action) ? undefined : forms[action]?.first?.(purchase)) ?? proposed({});
}

/** Reads the command that a form gives. */
export function readCommand(
  action: Change,
  entitlement: FullSnapshot,
  form: URLSearchParams,
  { now }: Call,
): FormReading<SeenCommand> {
  const own = forms[action];
  // A change without a form has no other member.
  return (
    own?.read({ fields: own.fields(entitlement), entitlement, now }, form) ?? {
      kind: 'read',
      values: { kind: action } as SeenCommand,
    }
  );
}

const expires = { name: 'expires', input: 'code' } as const;

const handoutFields: Readonly<Record<Handout, readonly Field[]>> = {
  link: [{ ...expires, label: 'Works for', hint: 'From 5m to 24h. Empty: 1h.' }],
  receipt: [
    {
      ...expires,
      label: 'Holds for at most',
      hint: 'Such as 30d. Empty: 365d, or the longest time that this server allows.',
    },
  ],
};

function isHandout(action: AskedAction): action is Handout {
  return Object.hasOwn(handoutFields, action);
}

/** How long a link works or a receipt may hold, in milliseconds; absent for the default. */
export interface Expiry {
  readonly expires?: number;
}

/** Reads how long a link works. */
export function readLinkTime(form: URLSearchParams): FormReading<Expiry> {
  return readForm(handoutFields.link, { expires: linkTimeRule }, [], form);
}

/** Reads how long a receipt may hold. `longest` is what the server allows. */
export function readExpiry(form: URLSearchParams, longest: number): FormReading<Expiry> {
  const reading = readForm(handoutFields.receipt, { expires: offlineAgeRule }, [], form);
  if (reading.kind === 'wrong' || (reading.values.expires ?? 0) <= longest) return reading;
  const mistake = { member: 'expires', problem: 'must not be longer than the setting RECEIPT_MAX_AGE' };
  return { kind: 'wrong', mistakes: mistakesIn(handoutFields.receipt, [mistake]) };
}
