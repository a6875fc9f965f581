import { createHmac } from 'node:crypto';
import type { WebhookEndpoint } from '../objects/stored.ts';
import type { Delivery, ShopEvent } from './shop-event.ts';
import { inVersion, previousInVersion, type ApiVersion } from './versions.ts';

export interface Receiver {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
  readonly payload: 'snapshot' | 'thin';
  readonly apiVersion: ApiVersion;
}

/** Milliseconds until a delivery counts as failed. */
const timeout = 30_000;

/** Renders an event in a version, as a delivery or `GET /v1/events` has it. */
export function eventInVersion(event: ShopEvent, version: ApiVersion): ShopEvent {
  const { object, previous_attributes: previous } = event.data;
  const rendered = inVersion(object, version) as Record<string, unknown>;
  const before = previous === undefined ? {} : { previous_attributes: previousInVersion(previous, object, version) };
  return { ...event, api_version: version, data: { object: rendered, ...before } };
}

/** Renders an event without its object, which it names. */
function thinEvent({ id, type, created, livemode, data: { object } }: ShopEvent): object {
  const path = `/v1/${String(object['object']).replace('.', '/')}s/${String(object['id'])}`;
  return {
    id,
    object: 'v2.core.event',
    type: `v1.${type}`,
    created: new Date(created * 1000).toISOString(),
    livemode,
    related_object: { id: object['id'], type: object['object'], url: path },
  };
}

/** Delivers one event. Its signature has the time of the machine, by which receivers judge it. */
export async function deliver(
  event: ShopEvent,
  { endpoint, secret, payload: style, apiVersion }: Receiver,
): Promise<Delivery> {
  const { url } = endpoint;
  const payload = JSON.stringify(style === 'thin' ? thinEvent(event) : eventInVersion(event, apiVersion), null, 2);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Stripe-Signature': signatureHeader(payload, secret, Math.floor(Date.now() / 1000)),
    'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  };
  try {
    const signal = AbortSignal.timeout(timeout);
    const answer = await fetch(url, { method: 'POST', headers, body: payload, redirect: 'manual', signal });
    await answer.arrayBuffer();
    return { event, url, status: answer.status };
  } catch {
    return { event, url, status: null };
  }
}

/** Whether an endpoint listens to a type: `*`, or a list. */
export function listensTo({ enabled_events: types, status }: WebhookEndpoint, type: string): boolean {
  return status === 'enabled' && (types.includes('*') || types.includes(type));
}

/** Signs a delivery as Stripe does, at an instant in seconds: the header Stripe-Signature. */
export function signatureHeader(payload: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
