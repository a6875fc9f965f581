import { identifierRule } from '../../../../core/identifier.ts';
import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { feedCursorRule } from '../../../../core/webhook/redeliver-events.ts';
import { eventTypesRule, webhookUrlRule } from '../../../../core/webhook/webhook-endpoint.ts';
import { defaulting, optional, required, subject } from '../../declaration/member.ts';

export const id = subject('<id>', 'the id of the endpoint');

export const ofProduct = required('--product <id>', 'the product', identifierRule);

/** The members of a new endpoint. */
export const newWebhook = {
  id: {
    ...optional('--id <id>', 'the id of the endpoint, so that a repeat adds no other', identifierRule),
    label: 'Id',
    hint: 'Names the endpoint in lists and in the log.',
  },
  url: {
    ...required('--url <url>', 'the URL that events are delivered to', webhookUrlRule),
    label: 'URL',
    hint: 'http or https, without user name and fragment.',
  },
  productId: {
    ...optional('--product <id>', 'only events of this product (default: all)', identifierRule),
    label: 'Product',
  },
  types: {
    ...optional(
      '--types <types>',
      'only events of these types, comma-separated (default: all of entitlements)',
      eventTypesRule,
    ),
    label: 'Events',
    hint: 'None ticked: every event of an entitlement.',
  },
};

/** The time for which an old secret signs as well. */
export const secretOverlap = {
  ...defaulting('--overlap <duration>', 'how long the old secret signs too', durationRule, [defaultOverlap, '24h']),
  label: 'Overlap',
  hint: 'How long the old secret signs as well: a whole number with s, m, h or d. 0s ends it at once.',
};

/** The members that say which events are skipped. */
export const skipped = {
  productId: { ...ofProduct, label: 'Product' },
  to: required('--to <cursor>', 'the cursor of the feed up to which events are skipped', feedCursorRule),
  entitlementId: {
    ...optional('--entitlement <id>', 'only the events of this entitlement (default: all)', identifierRule),
    label: 'Entitlement',
    hint: 'Only the events of this one that were tried before. Empty: the events of every entitlement.',
  },
};
