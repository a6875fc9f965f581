import { cursorPattern } from '../../../core/feed/feed-cursor.ts';
import { feedLimits, waitLimits } from '../../../core/feed/read-feed.ts';
import { lenient, named } from '../../administration/declaration/schema-parts.ts';
import { events as adminEvents, type AdminDocs } from '../operations/admin/docs/admin-docs.ts';
import { feedExample } from '../operations/docs/examples.ts';
import { events, type OperationDocs, type ParameterDocs } from '../operations/docs/operation-docs.ts';

const order = `\
Oldest first. \`meta.next\` is the \`after\` of the next request, also if the page is empty: keep it with what you have done, and go on from there. Every change of an entitlement has one event, and so has every change by the clock. No event ever appears behind a cursor that a page has shown.

\`data.sequence\` counts the events of one entitlement: drop an event whose sequence is not greater than the last one that you have. \`data.entitlement\` is the entitlement right after the change.`;

const parameters: readonly ParameterDocs[] = [
  {
    name: 'after',
    in: 'query',
    description: 'The `next` of the page before; absent for the oldest events that are kept.',
    schema: { type: 'string', pattern: cursorPattern },
  },
  {
    name: 'limit',
    in: 'query',
    description:
      'The maximum number of events; a number out of bounds is brought within them, any other value is the default.',
    schema: lenient({ type: 'integer', minimum: feedLimits.min, maximum: feedLimits.max }, feedLimits.default),
    example: feedLimits.default,
  },
  {
    name: 'wait',
    in: 'query',
    description:
      'The maximum number of seconds to wait for an event if the page is empty; a number out of bounds is brought within them, any other value is the default. The answer may come earlier with an empty page.',
    schema: lenient({ type: 'integer', minimum: waitLimits.min, maximum: waitLimits.max }, waitLimits.default),
    example: waitLimits.default,
  },
];

const success = { description: 'A page of events.', schema: 'EventFeed', example: feedExample } as const;

export const feedDocs: OperationDocs = {
  tag: events,
  summary: 'List the events of the product.',
  description: order,
  parameters,
  success,
  refusals: ['not_found', 'invalid_cursor', 'cursor_expired', 'cursor_unknown'],
};

export const adminFeedDocs: AdminDocs = {
  tag: adminEvents,
  summary: 'List the events of a product.',
  description: order,
  parameters: [
    {
      name: 'product',
      in: 'query',
      required: true,
      description: 'The product.',
      schema: named('Identifier'),
      example: 'prod_1',
    },
    ...parameters,
  ],
  success,
  refusals: ['invalid_parameter', 'product_not_found', 'invalid_cursor', 'cursor_expired', 'cursor_unknown'],
};
