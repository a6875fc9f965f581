import { createDeliveries, createStripeDeliveries } from '../app/server/deliveries.ts';
import { startServer } from '../app/server/server.ts';
import { createService } from '../app/server/serving-process.ts';
import type { StripeSettings } from '../app/server/stripe-service.ts';
import { administrationIn } from '../app/service/administration.ts';
import { loggerTo } from '../app/service/logger.ts';
import { newCall } from '../app/service/process.ts';
import { defaultSettings } from '../app/settings/resolve.ts';
import { openStore } from '../app/stores/open-store.ts';
import { LatchkeyAdmin, type Statement } from '../client/admin/index.ts';
import { LatchkeyClient } from '../client/index.ts';
import type { Call } from '../core/call.ts';
import { defaultTtl, retentionFor } from '../core/entitlement/idempotency/retention.ts';
import { operatorScopes } from '../core/key/operator/operator-key.ts';
import { MovableClock, withAction } from './clock.ts';
import { eventsOf, storeClockEvents } from './entitlement-events.ts';
import { grantTo, TestKeys } from './grant.ts';
import type { Latchkey, StartOptions } from './latchkey.ts';
import { knownOptions, type NamesOf } from './options/known-options.ts';
import { declareTier, readTier } from './put-tier.ts';
import type { FakeStripe } from './stripe/fake-stripe.ts';

/** Milliseconds for a call of the kit itself. */
const callTimeout = 60_000;

const monotonicClock = (): number => performance.now();

const names: NamesOf<StartOptions> = { now: true, stripe: true };

/** Starts a service over an empty store in memory. */
export async function start(given: StartOptions): Promise<Latchkey> {
  const { now = new Date(), stripe } = knownOptions('startLatchkey', names, given);
  const clock = new MovableClock(now);
  const call = (): Call => newCall(clock.now(), callTimeout, 'command:test');
  const store = await openStore('memory:', { create: true, serves: true }, retentionFor(defaultTtl), call());
  const settings = { ...ownSettings, ...(stripe === undefined ? {} : settingsOf(stripe)) };
  const service = await createService(store.ports, settings);
  const { container } = service;
  const administration = administrationIn(container, settings);
  const parts = { ...service, store, clock: () => clock.now(), log: loggerTo(nowhere) };
  const server = await startServer(parts, settings);
  server.unref();
  await server.loaded;
  stripe?.follow(clock);
  stripe?.addEndpoint({ url: `${server.url}/hooks/stripe` });
  const deliveries = createDeliveries(parts, settings);
  deliveries?.start();
  const toStripe = createStripeDeliveries(parts, settings, { monotonicClock, isPaused: () => false });
  toStripe?.start();
  const operator = { id: null, name: 'Tests', products: null, scopes: operatorScopes, expiresAt: null };
  const { key: operatorKey } = await administration.issueOperatorKey(operator, call());
  const keys = new TestKeys(store.ports, call);
  const client: Latchkey['client'] = (productId, options = {}) =>
    new LatchkeyClient({ ...options, baseUrl: server.url, appKey: keys.of(productId) });
  const stop = async (): Promise<void> => {
    await toStripe?.stop(0);
    await deliveries?.stop(0);
    await server.stop(0);
    await store.close();
  };
  return {
    url: server.url,
    adminUrl: server.adminUrl ?? '',
    operatorKey: operatorKey ?? '',
    clock: withAction(clock, () => storeClockEvents(container, call)),
    appKey: (productId) => keys.of(productId),
    client,
    grant: async (options) => {
      const reader = client(options.productId);
      const { entitlement, licenseKey } = await grantTo(administration, options, call());
      return { entitlement: await reader.entitlements.get(entitlement.id), licenseKey };
    },
    putTier: async (options) => {
      const tier = readTier(options);
      keys.of(tier.productId);
      return declareTier(administration, tier, call());
    },
    closeStatements: async (month) => {
      const admin = new LatchkeyAdmin({ baseUrl: server.adminUrl ?? '', operatorKey: operatorKey ?? '' });
      const all: Statement[] = [];
      for (;;) {
        const { closed, more } = await admin.statements.close({ month });
        all.push(...closed);
        if (!more) return all;
      }
    },
    events: async (productId) => {
      await storeClockEvents(container, call);
      const products = productId === undefined ? keys.products : [productId];
      return (await Promise.all(products.map((each) => eventsOf(client(each))))).flat();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const ownSettings = {
  ...defaultSettings,
  port: 0,
  adminPort: 0,
  webhookAllowNetworks: ['127.0.0.0/8', '::1'],
};

function settingsOf({
  url,
  apiKey,
  webhookSecret,
}: FakeStripe): Omit<StripeSettings, 'endingSoon' | 'stripeUnpaidAccess'> {
  return { stripeApiBase: url, stripeApiKey: apiKey, stripeWebhookSecret: [webhookSecret] };
}

const nowhere = { write: (): void => {} };
