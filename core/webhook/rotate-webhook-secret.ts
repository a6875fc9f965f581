import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { NewSecret } from '../secret.ts';
import { changeWebhook } from './change-webhook.ts';
import type { EndpointSecret, WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

export interface RotatedSecret {
  readonly endpoint: WebhookEndpoint;
  /** The only copy of the new secret. */
  readonly secret: string;
}

/** Secrets that can sign at the same time. Each adds 48 bytes to every delivery. */
const maxSecrets = 10;

export interface SecretRotation {
  readonly id: string;
  /** Milliseconds for which the secrets before it sign as well, unless they end sooner. */
  readonly overlap: number;
  /** The revision of the endpoint that is rotated; null for any. */
  readonly revision: number | null;
}

/**
 * Gives an endpoint a new secret. Without a revision, repeating a rotation whose answer was lost makes another secret, and
 * those that the receiver knows stay valid. Refuses
 * with `webhook_not_found`, with `too_many_secrets` while `maxSecrets` are valid, and with `changed_meanwhile` if the
 * endpoint has another revision.
 */
export type RotateWebhookSecret = (rotation: SecretRotation, call: Call) => Promise<RotatedSecret>;

export function rotateWebhookSecret(endpoints: WebhookEndpoints, newSecret: NewSecret): RotateWebhookSecret {
  return async ({ id, overlap, revision }, call) => {
    const secret = newSecret();
    const decide = (seen: WebhookEndpoint): WebhookEndpoint => {
      if (revision !== null && seen.revision !== revision) throw new Refusal('changed_meanwhile');
      return { ...seen, secrets: rotated(seen.secrets, secret, overlap, call.now) };
    };
    const { endpoint } = await changeWebhook(endpoints, id, decide, call);
    return { endpoint, secret };
  };
}

function rotated(seen: readonly EndpointSecret[], key: string, overlap: number, now: Date): readonly EndpointSecret[] {
  const end = new Date(now.getTime() + overlap);
  const ending = seen.map((one) => ({ ...one, until: one.until !== null && one.until < end ? one.until : end }));
  const valid = ending.filter(({ until }) => until > now);
  if (valid.length >= maxSecrets) throw new Refusal('too_many_secrets');
  return [{ key, until: null }, ...valid];
}
