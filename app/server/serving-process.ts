import type { Container } from 'inversify';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import type { Clock } from '../../core/call.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { OnUpgrade, Store, StorePorts } from '../../core/store/store.port.ts';
import { createContainer } from '../service/container.ts';
import { newCall } from '../service/new-call.ts';
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

/** What a process serves with. */
export interface Service {
  readonly container: Container;
  /** Null without an admin port, which shows them. */
  readonly metrics: Metrics | null;
}

/** Builds what a process serves with over the ports of its store. They are measured if the server has an admin port. */
export async function createService(
  ports: StorePorts,
  { adminPort }: Pick<Settings, 'adminPort'>,
  loads: 'catalog' | 'no catalog' = 'catalog',
): Promise<Service> {
  if (adminPort === null) return { container: createContainer(ports), metrics: null };
  const { measuredService } = await import('./measure.ts');
  return measuredService(ports, loads);
}
