import { createContainer } from '../../../app/service/container.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import type { Store } from '../../../core/store/store.port.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';
import { populate } from './edge-world.ts';
import { startService, type TestService } from './service.ts';

/** The populated service, over the store at `url`. */
export async function startEdge(
  overrides: Parameters<typeof startService>[1] & { readonly ready?: Store['ready'] } = {},
  url = 'memory:',
): Promise<TestService> {
  const { ready, ...settings } = overrides;
  const store = await openStore(url, { create: true }, retentionFor(defaultTtl), aCall());
  await populate(createContainer(store.ports));
  return startService(ready === undefined ? store : { ...store, ready }, settings);
}

/** Starts services for the tests of the suite that calls this, and stops each after its test. */
export function edgeOfEachTest(): typeof startEdge {
  const started: TestService[] = [];
  afterEach(async () => {
    for (const service of started.splice(0)) await service.stop();
  });
  return async (...parameters) => {
    const service = await startEdge(...parameters);
    started.push(service);
    return service;
  };
}

/** A door that requests wait at until the test opens it. */
export function aGate(): { readonly opened: Promise<boolean>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { opened: promise, open: () => resolve(true) };
}

/** Waits until it is so. Throws where it does not come true in time. */
export async function until(condition: () => boolean, patience = 5000): Promise<void> {
  const end = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > end) throw new Error('what the test waits for did not come');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What was logged as an error or worse. */
export function faultsOf(service: TestService): readonly unknown[] {
  return service.logged.filter(({ level }) => level === 'error' || level === 'fatal');
}
