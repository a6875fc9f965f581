import type { WebhookEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';

/** The host that an endpoint's events go to. The rest of its URL may contain a secret of the receiver. */
export function hostOf({ id, url }: Pick<WebhookEndpoint, 'id' | 'url'>): string {
  return URL.parse(url)?.host ?? id;
}
