import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { billingIntervals } from '../../../../../core/entitlement/entitlement.ts';
import { intervalCountRule, ownLimitRule } from '../../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { durationRule } from '../../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf } from '../../../../../core/parsing/value-rule.ts';
import { html } from '../../../markup/html.ts';
import { dayText, instantText } from '../../display/dates.ts';
import { mono } from '../../display/parts.ts';
import type { Field } from '../../form/fields.ts';
import { proposed } from '../../form/form-reading.ts';
import { devicesText, termsText, tierText } from '../../state/terms.ts';
import { commandForm, type Action, type AskedAction } from './action.ts';
import {
  billingChoices,
  graceField,
  graceHint,
  intervalCountField,
  tierFields,
  tierList,
  updatesField,
} from './change-fields.ts';
import { notified, opens } from './purchase-texts.ts';

const open = html`Open the subscription at Stripe, and choose <em>Update subscription</em>.`;

/**
 * The actions on the tier, the allowance and the end of a purchase. Stripe decides them for the sales that are made
 * there. Extensions have pages of their own.
 */
export const termActions: Readonly<Record<'extend', Action> & Record<'change-tier' | 'allow', AskedAction>> = {
  extend: {
    title: 'Extend',
    page: 'ExtendEntitlement',
    operation: 'renewed',
    done: 'The entitlement was extended.',
    effect: ({ currentPeriodEnd, accessEndsAt }, now) => {
      if (accessEndsAt !== null) return `Access ends on ${dayText(accessEndsAt, now)}`;
      return currentPeriodEnd === null ? '' : `The period ends on ${dayText(currentPeriodEnd, now)}`;
    },
    managed: {
      heading: 'Stripe decides the period',
      says: 'An extension here would be undone by the next event of Stripe. Give the days at Stripe, and they arrive here within seconds. This moves the billing day for good. For whole months pause the collection instead.',
      steps: [
        open,
        html`Add <em>free trial days</em>, with <em>Prorate changes</em> off.`,
        html`Save. Stripe charges later, and the entitlement ends later.`,
      ],
    },
  },
  'change-tier': {
    title: 'Change tier',
    page: 'ChangeTier',
    operation: 'tier_changed',
    done: 'The tier was changed.',
    effect: (entitlement) => `Now ${tierText(entitlement)}`,
    managed: {
      heading: 'Stripe decides the tier',
      says: 'Another tier here would be undone by the next event of Stripe. Change the price at Stripe, and its tier arrives here within seconds.',
      steps: [
        open,
        html`Replace the price by that of the other tier. It must be mapped: ${mono('latchkey stripe map list')} shows
        what is.`,
        html`Save. Stripe charges the new price, and the entitlement gets its tier.`,
      ],
    },
    texts: (purchase) => ({
      question: 'Change the tier?',
      button: 'Change tier',
      consequences: [
        html`${opens(purchase)} as the new tier at once. The license stays the same.`,
        ...notified(purchase, 'entitlement.tier_changed'),
      ],
    }),
    form: commandForm(
      (entitlement) => [...proposedTier, ...termFields(entitlement)],
      {
        tierId: identifierRule,
        tierName: displayNameRule,
        billingInterval: oneOf(billingIntervals),
        billingIntervalCount: intervalCountRule,
        currentPeriodEnd: instantRule,
        grace: durationRule,
        updatesUntil: instantRule,
      },
      ['tierId', 'tierName'],
      (values) => ({ kind: 'change-tier', ...unchangedTerms, ...values }),
      ({ entitlement: { tierId, tierName } }) => proposed({ tierId, tierName }),
    ),
  },
  allow: {
    title: 'Change the limit',
    page: 'ChangeLimit',
    operation: 'allowance_changed',
    done: 'The limit of devices was changed.',
    effect: devicesText,
    managed: {
      heading: 'Stripe decides the number of devices',
      says: 'Another limit here would be undone by the next event of Stripe. Change the quantity at Stripe, and its limit arrives here within seconds.',
      steps: [
        open,
        html`Change the quantity of the price that sells the tier. ${mono('latchkey stripe map list')} shows how many
        devices each unit allows.`,
        html`Save. Stripe charges the new quantity, and the entitlement gets its limit.`,
      ],
    },
    texts: (purchase) => ({
      question: 'Change the limit of devices?',
      button: 'Change the limit',
      consequences: [
        html`A smaller limit takes nobody’s seat. While more devices are used than it allows, no further one gets a
        seat.`,
        ...notified(purchase, 'entitlement.allowance_changed'),
      ],
    }),
    form: commandForm(
      () => [
        {
          name: 'deviceLimit',
          label: 'Devices',
          input: 'code',
          required: true,
          hint: 'How many may use the license at once: a number, unlimited, or tier for the limit of its tier.',
        },
      ],
      { deviceLimit: ownLimitRule },
      ['deviceLimit'],
      ({ deviceLimit }) => ({ kind: 'allow', deviceLimit: deviceLimit === 'tier' ? null : deviceLimit }),
      ({ entitlement: { own, deviceLimit } }) =>
        proposed({ deviceLimit: String(own.deviceLimit ?? (deviceLimit === null ? 'unlimited' : 'tier')) }),
    ),
  },
};

const proposedTier = tierFields.map((field) => (field.name === 'tierId' ? { ...field, list: tierList } : field));

const unchangedTerms = { billingInterval: null, billingIntervalCount: null, currentPeriodEnd: null, grace: null };

function termFields(entitlement: FullSnapshot): readonly Field[] {
  const { currentPeriodEnd, accessEndsAt, updatesUntil } = entitlement;
  const updates: Field = { ...updatesField, hint: keptHint(updatesUntil, 'as it is') };
  if (currentPeriodEnd === null) {
    const end = { name: 'currentPeriodEnd', label: 'End of the access', input: 'instant' } as const;
    return [{ ...end, hint: keptHint(accessEndsAt, 'without an end') }, updates];
  }
  return [
    {
      name: 'billingInterval',
      label: 'Billing',
      input: { one: [['', `Stays ${termsText(entitlement)}`], ...billingChoices] },
    },
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
