import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';

/** A document of `webhook_endpoints`: an endpoint under its id. */
export type EndpointDocument = { readonly _id: string } & Omit<WebhookEndpoint, 'id'>;

export function toEndpointDocument({ id, ...facts }: WebhookEndpoint): EndpointDocument {
  return { _id: id, ...facts };
}

export function fromEndpointDocument({ _id, ...facts }: EndpointDocument): WebhookEndpoint {
  return { id: _id, ...facts };
}
