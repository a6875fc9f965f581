import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { startBackground } from '../../../app/server/background.ts';
import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { anEvent, aSubscription, day, later, noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';

describe('the background of a server', () => {
  it('removes events beyond their retention, and logs their number', async () => {
    const data = new MemoryStore();
    data.products.set('prod_1', { id: 'prod_1', name: 'One', createdAt: noon });
    const event = anEvent(aSubscription({ sequence: 1 }));
    const stored = [8, 7, 6, 0].map((days) => ({ event, storedAt: later(-days * day) }));
    data.events.set('prod_1', { removed: 0, stored });
    const store = openMemoryStore(retentionFor(defaultTtl), data);
    const lines: Record<string, unknown>[] = [];
    const log = loggerTo({ write: (line) => lines.push(JSON.parse(line)) });
    const parts = { container: createContainer(store.ports), store, clock: () => noon, log };
    const stop = startBackground(parts, { ...defaultSettings, eventRetention: 7 * day });
    await eventually(
      async () => lines.length,
      (count) => count > 0,
    );
    await stop();
    expect(stored.map(({ storedAt }) => storedAt)).to.deep.equal([later(-6 * day), noon]);
    expect(lines.map(({ message, events, level }) => [message, events, level])).to.deep.equal([
      ['removed events beyond their retention', 2, 'info'],
    ]);
  });
});
