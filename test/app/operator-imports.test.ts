import { expect } from 'chai';
import { runCommand, valueOf } from '../support/cli/run-command.ts';
import { eventually } from '../support/eventually.ts';
import { aLatch } from '../support/latch.ts';
import { heldBack, startCommandProcess } from '../support/processes/command-process.ts';
import { heapAfterCollections, heapBound, traceGc, withoutTrace } from '../support/processes/traced-heap.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { rowsIn } from '../support/stores/sqlite-file.ts';
import { sqlite, type StoreAddress } from '../support/stores/stores.ts';

const count = rounds(10_000, 100_000);
const badCount = rounds(10_500, 100_000);
/** The number of bad lines that a report has at most. */
const reported = 10_000;

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

  it(`gets a report of ${badCount} bad lines in bounded memory`, async () => {
    const lines = range(badCount).map(() => `${'{"id":"a b"}'.padEnd(1000)}\n`);
    const { exitCode, stdout } = await startCommandProcess('entitlement import - --json', store.url, lines, traceGc)
      .run;
    const { failed, errors } = JSON.parse(withoutTrace(stdout)) as {
      readonly failed: number;
      readonly errors: readonly unknown[];
    };
    expect([exitCode, failed, errors.length]).to.deep.equal([1, badCount, reported]);
    expect(heapAfterCollections(stdout)).to.be.below(heapBound);
  });

  it('completes an import that was killed by running it again', async () => {
    const lines = range(2500).map((number) => importLine(number));
    const killed = aLatch();
    const first = startCommandProcess('entitlement import - --json', store.url, heldBack(lines, killed, 2000));
    await eventually(
      () => rowsIn(path(), 'entitlements'),
      (stored) => stored > 1000,
    );
    first.kill();
    killed.release();
    expect((await first.run).exitCode).to.equal(null);
    const before = (await rowsIn(path(), 'entitlements')) - 2;
    expect(before).to.be.within(1000, 2499);
    const again = await runCommand('entitlement import - --json', store.url, { input: lines });
    const report = JSON.parse(again.stdout) as { readonly imported: number; readonly failed: number };
    expect([again.exitCode, report.imported, report.failed]).to.deep.equal([1, 2500 - before, before]);
    expect(await rowsIn(path(), 'entitlements')).to.equal(2502);
    expect(await valueOf('store check', store.url)).to.include({ ok: true });
  });
});

function importLine(number: number): string {
  const licenseKey = `ACME-LICENSE-OF-2026-${String(number).padStart(8, '0')}`;
  // As long as they may be, so that kept records show in the heap.
  const long = { tierName: '…'.repeat(200), reference: String(number).padEnd(200, 'r') };
  const terms = { productId: 'prod_1', tierId: 'pro', billingInterval: 'month', ...long };
  return `${JSON.stringify({ id: `ent_${number}`, ...terms, licenseKey })}\n`;
}
