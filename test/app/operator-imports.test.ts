import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { aLatch } from '../support/latch.ts';
import { heldBack, runCommandProcess, startCommandProcess } from '../support/processes/command-process.ts';
import { heapAfterCollections, heapBound, traceGc, withoutTrace } from '../support/processes/traced-heap.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { rowsIn } from '../support/stores/sqlite-file.ts';
import { sqlite, type StoreAddress } from '../support/stores/stores.ts';

const count = rounds(40_000, 100_000);

describe('an operator who imports entitlements into a SQLite store', () => {
  let store: StoreAddress;
  const path = (): string => store.url.slice('sqlite:'.length);

  beforeEach(async () => {
    store = await sqlite.address();
    await fillStore(store.url, 'an app key that nobody sends', ['ent_a', 'ent_b']);
  });
  afterEach(() => store.remove());

  it(`imports ${count} entitlements in bounded memory, and is warned of guessable keys`, async () => {
    const lines = range(count).map((number) => importLine(number));
    const { exitCode, stdout, stderr } = await startCommandProcess(
      'entitlement import - --json',
      store.url,
      lines,
      traceGc,
    ).run;
    expect([exitCode, JSON.parse(withoutTrace(stdout))]).to.deep.equal([0, { imported: count, failed: 0, errors: [] }]);
    expect(heapAfterCollections(stdout)).to.be.below(heapBound);
    expect(stderr).to.include(`Warning: ${count} license keys`);
    expect(await rowsIn(path(), 'entitlements')).to.equal(count + 2);
  });

  it(`gets a report of ${count} bad lines in bounded memory`, async () => {
    const lines = range(count).map(() => '{"id":"a b"}\n');
    const { exitCode, stdout } = await startCommandProcess('entitlement import - --json', store.url, lines, traceGc)
      .run;
    const { failed, errors } = JSON.parse(withoutTrace(stdout)) as {
      readonly failed: number;
      readonly errors: readonly unknown[];
    };
    expect([exitCode, failed, errors.length]).to.deep.equal([1, count, 10_000]);
    expect(heapAfterCollections(stdout)).to.be.below(heapBound);
  });

  it('completes an import that was killed by running it again', async () => {
    const lines = range(20_000).map((number) => importLine(number));
    const killed = aLatch();
    const first = startCommandProcess('entitlement import - --json', store.url, heldBack(lines, killed));
    await eventually(
      () => rowsIn(path(), 'entitlements'),
      (stored) => stored > 2000,
    );
    first.kill();
    killed.release();
    expect((await first.run).exitCode).to.equal(null);
    const before = (await rowsIn(path(), 'entitlements')) - 2;
    expect(before).to.be.within(2000, 19_999);
    const again = await startCommandProcess('entitlement import - --json', store.url, lines).run;
    const report = JSON.parse(again.stdout) as { readonly imported: number; readonly failed: number };
    expect([again.exitCode, report.imported, report.failed]).to.deep.equal([1, 20_000 - before, before]);
    expect(await rowsIn(path(), 'entitlements')).to.equal(20_002);
    expect(await runCommandProcess('store check', store.url)).to.include({ ok: true });
  });
});

function importLine(number: number): string {
  const licenseKey = `ACME-LICENSE-OF-2026-${String(number).padStart(8, '0')}`;
  const terms = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
  return `${JSON.stringify({ id: `ent_${number}`, ...terms, licenseKey })}\n`;
}
