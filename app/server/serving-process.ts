import { once } from 'node:events';
import type { Container } from 'inversify';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import type { Call, Clock } from '../../core/call.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { OnUpgrade, Store, StorePorts } from '../../core/store/store.port.ts';
import { createContainer, type ContainerSettings } from '../service/container.ts';
import { platformReaching } from '../service/platform.ts';
import { newCall } from '../service/process.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../stores/open-store.ts';

/**
 * Opens the store of a server, and creates it if it does not exist. With `onUpgrade`, an older schema is upgraded where that is
 * safe. Throws `UnusableStore`.
 */
export function openServingStore(
  { store, storeDeadline, idempotencyTtl }: Pick<Settings, 'store' | 'storeDeadline' | 'idempotencyTtl'>,
  clock: Clock,
  onUpgrade?: OnUpgrade,
): Promise<Store> {
  const call = newCall(clock(), storeDeadline, 'clock');
  return openStore(
    store,
    { create: true, serves: true, ...(onUpgrade && { onUpgrade }) },
    retentionFor(idempotencyTtl),
    call,
  );
}

/** The parts that a process serves with. */
export interface Service {
  readonly container: Container;
  /** Null without an admin port, which shows them. */
  readonly metrics: Metrics | null;
}

/**
 * Builds the parts of a serving process over the ports of its store, which are measured if the server has an admin
 * port. The messages of `webhook test` also reach the networks of the settings.
 */
export async function createService(
  ports: StorePorts,
  settings: Pick<Settings, keyof ContainerSettings | 'adminPort' | 'webhookAllowNetworks'>,
  loads: 'catalog' | 'no catalog' = 'catalog',
): Promise<Service> {
  const platform = platformReaching(settings.webhookAllowNetworks ?? []);
  if (settings.adminPort === null) return { container: createContainer(ports, settings, platform), metrics: null };
  const { measuredService } = await import('./measure.ts');
  return measuredService(ports, settings, platform, loads);
}

/**
 * Resolves as soon as the signal is aborted, for everyone who waits for it. `aborted` of `node:util` may forget all but the
 * last of those who wait for one signal.
 */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** The readiness of a process, as `/readyz` reports it. */
export class Readiness {
  readonly #store: Store;
  readonly #isCatalogLoaded: (call: Call) => Promise<boolean>;
  #stopping = false;

  /** `isCatalogLoaded` may wait for the first load of the catalog. */
  constructor(store: Store, isCatalogLoaded: (call: Call) => Promise<boolean>) {
    this.#store = store;
    this.#isCatalogLoaded = isCatalogLoaded;
  }

  /** Makes the server unready permanently, so that load balancers send it no new requests. */
  stop(): void {
    this.#stopping = true;
  }

  /** Returns whether requests can be served now. */
  readonly check = async (call: Call): Promise<boolean> =>
    !this.#stopping && (await this.#isCatalogLoaded(call)) && this.#store.ready(call);
}
