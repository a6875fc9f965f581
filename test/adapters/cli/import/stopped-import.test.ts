import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { refusalMessage } from '../../../../adapters/cli/output/refusal-messages.ts';
import type { Administration } from '../../../../core/administration/administration.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { administrationOver } from '../../../support/administration.ts';
import { TextSink, type TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithProduct } from '../../../support/cli/line-files.ts';
import { InjectedFault } from '../../../support/failing.ts';
import { range } from '../../../support/range.ts';
import { thrownBy } from '../../../support/thrown.ts';

const line = { id: 'e1', productId: 'p1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const allMissing = ['id', 'productId', 'tierId', 'tierName', 'billingInterval']
  .map((name) => `${name} is missing.`)
  .join(' ');

describe('an import that stops early', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithProduct();
  });

  for (const fault of [new Refusal('store_unavailable'), new InjectedFault()]) {
    it(`reports and logs what was imported before a fault, then fails with it: ${fault.name}`, async () => {
      const real = administrationOver(cli.store);
      let batches = 0;
      const importEntitlements: Administration['importEntitlements'] = async (drafts, call) => {
        batches += 1;
        if (batches === 2) throw fault;
        return real.importEntitlements(drafts, call);
      };
      const stdout = new TextSink();
      const stderr = new TextSink();
      const lines = ['{}', ...range(1500).map((number) => JSON.stringify({ ...line, id: `e${number}` }))];
      const run = cli.run(['entitlement', 'import', '-', '--json'], lines.join('\n'), {
        openStore: async () => ({ ...real, importEntitlements }),
        stdout,
        stderr,
      });
      if (fault instanceof Refusal) {
        expect((await run).exitCode).to.equal(1);
        const error = refusalMessage('store_unavailable');
        expect(JSON.parse(stderr.text)).to.deep.equal({ code: 'store_unavailable', error });
      } else expect(await thrownBy(run)).to.equal(fault);
      expect(JSON.parse(stdout.text)).to.deep.equal({
        imported: 1000,
        failed: 1,
        errors: [{ line: 1, code: 'invalid_line', error: allMissing }],
      });
      expect(cli.changes).to.deep.equal([{ command: 'entitlement import', entitlements: 1000 }]);
    });
  }

  it('reports what was imported before reading the file failed', async () => {
    const stdout = new TextSink();
    const run = cli.run(['entitlement', 'import', '-', '--json'], '', { stdin: lost(), stdout });
    expect(await thrownBy(run)).to.be.instanceOf(InjectedFault);
    expect(JSON.parse(stdout.text)).to.deep.equal({ imported: 1000, failed: 0, errors: [] });
    expect([cli.changes, cli.store.entitlements.byId.size]).to.deep.equal([
      [{ command: 'entitlement import', entitlements: 1000 }],
      1000,
    ]);
  });

  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  for (const [signal, exitCode] of signals) {
    it(`reports and logs what was imported before ${signal}, while the file is still being written`, async () => {
      const stopping = new AbortController();
      const stdin = new PassThrough();
      for (const number of range(2500)) stdin.write(`${JSON.stringify({ ...line, id: `e${number}` })}\n`);
      const real = administrationOver(cli.store);
      const importEntitlements: Administration['importEntitlements'] = async (drafts, call) => {
        if (cli.store.entitlements.byId.size > 0) setTimeout(() => stopping.abort(signal), 1);
        await setImmediate();
        return real.importEntitlements(drafts, call);
      };
      const { stdout, stderr, ...run } = await cli.run(['entitlement', 'import', '-', '--json'], '', {
        stdin,
        takeOverSignals: () => stopping.signal,
        openStore: async () => ({ ...real, importEntitlements }),
      });
      expect(run.exitCode).to.equal(exitCode);
      expect(JSON.parse(stdout)).to.deep.equal({ imported: 2000, failed: 0, errors: [] });
      expect(JSON.parse(stderr)).to.have.property('code', 'interrupted');
      expect(cli.changes).to.deep.equal([{ command: 'entitlement import', entitlements: 2000 }]);
      expect([cli.store.entitlements.byId.size, stdin.destroyed]).to.deep.equal([2000, true]);
    });
  }
});

/** Lines of a file that breaks off. */
async function* lost(): AsyncIterable<Uint8Array> {
  for (const number of range(1500)) yield Buffer.from(`${JSON.stringify({ ...line, id: `e${number}` })}\n`);
  throw new InjectedFault();
}
