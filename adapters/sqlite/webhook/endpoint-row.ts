import type { EventType } from '../../../core/entitlement/event/event-type.ts';
import type { DisablingReason, WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { dateOrNull } from '../engine/nullable.ts';
import { table } from '../engine/table.ts';

/** A row of `webhook_endpoints`. Instants are milliseconds since 1970; `types` and `secrets` are JSON. */
export interface EndpointRow {
  readonly id: string;
  readonly addition: string;
  readonly url: string;
  readonly product_id: string | null;
  readonly types: string | null;
  readonly secrets: string;
  readonly state: string;
  readonly reason: string | null;
  readonly created_at: number;
  readonly revision: number;
}

export const endpointsTable = table<EndpointRow>('webhook_endpoints', {
  id: true,
  addition: true,
  url: true,
  product_id: true,
  types: true,
  secrets: true,
  state: true,
  reason: true,
  created_at: true,
  revision: true,
});

type StoredSecret = readonly [key: string, until: number | null];

export function toEndpointRow(endpoint: WebhookEndpoint): EndpointRow {
  const { id, addition, url, productId, types, secrets, state, reason, createdAt, revision } = endpoint;
  const stored = secrets.map(({ key, until }): StoredSecret => [key, until?.getTime() ?? null]);
  return {
    id,
    addition,
    url,
    product_id: productId,
    types: types && JSON.stringify(types),
    secrets: JSON.stringify(stored),
    state,
    reason,
    created_at: createdAt.getTime(),
    revision,
  };
}

export function fromEndpointRow(row: EndpointRow): WebhookEndpoint {
  const { id, addition, url, product_id: productId, types, reason, revision } = row;
  const secrets = JSON.parse(row.secrets) as readonly StoredSecret[];
  return {
    id,
    addition,
    url,
    productId,
    types: types === null ? null : (JSON.parse(types) as readonly EventType[]),
    secrets: secrets.map(([key, until]) => ({ key, until: dateOrNull(until) })),
    state: row.state as WebhookEndpoint['state'],
    reason: reason as DisablingReason | null,
    createdAt: new Date(row.created_at),
    revision,
  };
}
