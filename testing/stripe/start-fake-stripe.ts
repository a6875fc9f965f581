import { randomBytes } from 'node:crypto';
import { knownOptions, type NamesOf } from '../options/known-options.ts';
import { ApiKeys } from './api/api-keys.ts';
import type { SeenRequest } from './api/endpoint.ts';
import { Faults } from './api/faults.ts';
import { SavedAnswers } from './api/saved-answers.ts';
import { serveApi } from './api/server.ts';
import { Outbox } from './events/outbox.ts';
import { currentVersion, type ApiVersion } from './events/versions.ts';
import type { EndpointOptions, FakeStripe, FakeStripeOptions } from './fake-stripe.ts';
import { newWebhookEndpoint } from './objects/price.ts';
import { shopOf } from './shop.ts';
import { Ledger } from './shop/ledger.ts';

const names: NamesOf<FakeStripeOptions> = { clock: true, apiVersion: true };
const endpointNames: NamesOf<EndpointOptions> = {
  url: true,
  events: true,
  payload: true,
  apiVersion: true,
  secret: true,
};

/**
 * Starts Stripe's API with one account, on a free port of this machine, in this process. It does not keep the process
 * running, and needs no package `stripe`.
 */
export async function fakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const { clock = { now: () => new Date() }, apiVersion = currentVersion } = knownOptions('fakeStripe', names, options);
  const ledger = new Ledger(() => clock.now(), apiVersion);
  const keys = new ApiKeys();
  const faults = new Faults();
  const outbox = new Outbox(ledger.events);
  const requests: SeenRequest[] = [];
  const account = { ledger, keys, faults, saved: new SavedAnswers() };
  const server = await serveApi(account, requests, () => void outbox.flush());
  const apiKey = keys.issue();
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const stop = async (): Promise<void> => {
    await server.stop();
  };
  return {
    ...shopOf(ledger, () => outbox.flush()),
    url: server.url,
    apiKey,
    webhookSecret,
    restrictedKey: (permissions) => keys.issue(permissions),
    expireKey: (key = apiKey) => keys.setExpired(key, true),
    restoreKey: (key = apiKey) => keys.setExpired(key, false),
    follow: (other) => ledger.follow(() => other.now()),
    addEndpoint: (endpoint) => addEndpoint(ledger, outbox, endpoint, { secret: webhookSecret, apiVersion }),
    object: (id) => structuredClone(objectOf(ledger, id)),
    events: ledger.events,
    pauseDeliveries: () => outbox.pause(),
    resumeDeliveries: () => outbox.resume(),
    deliver: (events = outbox.undelivered()) => outbox.deliver(events),
    undelivered: () => outbox.undelivered(),
    deliveries: outbox.deliveries,
    requests,
    faults,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function addEndpoint(
  ledger: Ledger,
  outbox: Outbox,
  options: EndpointOptions,
  standard: { readonly secret: string; readonly apiVersion: ApiVersion },
): string {
  const { url, events = ['*'], payload = 'snapshot', ...given } = knownOptions('addEndpoint', endpointNames, options);
  const { secret = standard.secret, apiVersion = standard.apiVersion } = given;
  const facts = { id: ledger.newId('we'), url, enabled_events: [...events], created: ledger.now() };
  const endpoint = newWebhookEndpoint({ ...facts, api_version: given.apiVersion ?? null });
  ledger.endpoints.set(endpoint.id, endpoint);
  outbox.add({ endpoint, secret, payload, apiVersion });
  return endpoint.id;
}

function objectOf(ledger: Ledger, id: string): Readonly<Record<string, unknown>> {
  const tables: readonly ReadonlyMap<string, object>[] = [
    ledger.subscriptions,
    ledger.sessions,
    ledger.invoices,
    ledger.invoicePayments,
    ledger.paymentIntents,
    ledger.charges,
    ledger.refunds,
    ledger.disputes,
    ledger.prices,
    ledger.customers,
    ledger.promotionCodes,
    ledger.discounts,
    ledger.endpoints,
  ];
  const found = tables.map((table) => table.get(id)).find((each) => each !== undefined);
  if (found === undefined) throw new TypeError(`The shop has no ${id}.`);
  return found as Readonly<Record<string, unknown>>;
}
