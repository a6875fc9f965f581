import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import type { Metrics } from '../../../adapters/metrics/metrics.ts';
import { measuredService } from '../../../app/server/measure.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../../support/builders.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('Metrics', () => {
  let metrics: Metrics;
  beforeEach(() => {
    const store = openMemoryStore(retentionFor(defaultTtl));
    ({ metrics } = measuredService(store.ports, defaultSettings, nodePlatform, 'no catalog'));
  });
  afterEach(() => metrics.close());

  it('observes a call of a port in seconds', async () => {
    const begun = performance.now();
    expect(await metrics.timed('Port', { find: () => sleep(5, 'found') }).find()).to.equal('found');
    const elapsed = (performance.now() - begun) / 1000;
    expect(await valueOf('count{port="Port",method="find"}')).to.equal(1);
    expect(await valueOf('sum{port="Port",method="find"}')).to.be.within(0.001, elapsed);
  });

  it('observes a call that fails, whose error only its caller gets', async () => {
    const error = new Error('the store is away');
    const port = metrics.timed('Port', { find: () => Promise.reject(error) });
    expect(await thrownBy(port.find())).to.equal(error);
    expect(await valueOf('count{port="Port",method="find"}')).to.equal(1);
  });

  /** The value of a series of the time of store calls. */
  async function valueOf(series: string): Promise<number> {
    const lines = (await metrics.text(aCall())).split('\n');
    const prefix = `latchkey_store_duration_seconds_${series} `;
    return Number(lines.find((line) => line.startsWith(prefix))?.slice(prefix.length));
  }
});
