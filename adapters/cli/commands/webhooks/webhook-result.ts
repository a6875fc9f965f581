import { identifierRule } from '../../../../core/identifier.ts';
import type { ChangedWebhook } from '../../../../core/webhook/change-webhook.ts';
import { parkedCount, pendingCount, type DeliveryStream } from '../../../../core/webhook/stream/delivery-stream.ts';
import { shownEndpoint, type ShownEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';
import { details } from '../../output/table.ts';
import type { ChangeResult, Subject } from '../../run/run-command.ts';

export const webhookById: Subject = {
  member: 'id',
  argument: '<id>',
  description: 'the id of the endpoint',
  rule: identifierRule,
};

/** The members of an endpoint that commands show. */
export const members = [
  'id',
  'url',
  'productId',
  'types',
  'state',
  'reason',
  'secrets',
  'createdAt',
] as const satisfies readonly (keyof ShownEndpoint)[];

/** The members of the deliveries of one product. */
export const streamMembers = [
  'productId',
  'position',
  'pending',
  'parked',
  'failingSince',
  'nextProbeAt',
  'deliveredAt',
] as const;

interface StreamView extends Readonly<Record<(typeof streamMembers)[number], unknown>> {
  /** Only JSON has them: the table has a line for each product. */
  readonly attempts: readonly object[];
}

export function streamViewOf(stream: DeliveryStream): StreamView {
  const { productId, cursor, failingSince, probe, deliveredAt, attempts } = stream;
  return {
    productId,
    position: cursor,
    pending: pendingCount(stream),
    parked: parkedCount(stream),
    failingSince,
    nextProbeAt: probe?.at ?? null,
    deliveredAt,
    attempts: attempts.map(({ at, eventId, status, reason, durationMs }) => ({
      at,
      eventId,
      status,
      reason,
      durationMs,
    })),
  };
}

export function endpointResult({ endpoint }: ChangedWebhook): ChangeResult {
  const view = shownEndpoint(endpoint);
  return { json: { value: view }, text: () => details(view, members) };
}

/** The result of a command that shows a secret, unless an earlier one has shown it. */
export function secretResult(id: string, secret: string | null): ChangeResult {
  const note =
    secret === null
      ? 'The endpoint was added before; its secret is not shown again.'
      : 'The secret is shown only this once.';
  return {
    json: { value: { id, secret } },
    text: () => `${details({ id, secret }, ['id', 'secret'])}\n${note}\n`,
  };
}
