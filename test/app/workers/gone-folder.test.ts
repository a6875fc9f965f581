import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { appKeys } from '../../support/http/fixtures.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { openAt, sqlite, type StoreAddress } from '../../support/stores/stores.ts';
import { deliveryFlags, ObservedEndpoint } from '../../support/webhooks/observed-endpoint.ts';
import { isRunning, killIfRunning, WorkersProcess } from '../../support/workers/workers-process.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const faultAtSignal = fileURLToPath(new URL('../../support/workers/fault-at-signal.ts', import.meta.url));

/** Long enough that a server which stops is still there for a second signal. */
const slowStop = ['--shutdown-notice', '10m'];

const lastOf = ({ log }: WorkersProcess): unknown => log().at(-1)?.['message'];

describe('a server whose folder is gone', () => {
  let folder: string;
  let store: StoreAddress;
  let server: WorkersProcess | null;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const parts = ['adapters', 'app', 'core', 'package.json'];
    await Promise.all(parts.map((part) => cp(join(root, part), join(folder, 'program', part), { recursive: true })));
    await symlink(join(root, 'node_modules'), join(folder, 'program', 'node_modules'));
  });
  after(() => rm(folder, { recursive: true }));

  beforeEach(async () => {
    store = await sqlite.address();
    server = null;
  });
  afterEach(async () => {
    await server?.kill();
    await store.remove();
    if (existsSync(join(folder, 'moved'))) await moveBack();
  });

  /** Starts the copy, and then moves it away. */
  async function startAndMove(workers: number, flags: readonly string[] = []): Promise<WorkersProcess> {
    // Starts share the code that one of them has compiled. It is removed with the folder.
    const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
    const program = ['--import', faultAtSignal, join(folder, 'program', 'app', 'main.js')];
    server = await WorkersProcess.start(store.url, workers, { flags, program, env });
    await moveAway();
    return server;
  }

  const moveAway = (): Promise<void> => rename(join(folder, 'program'), join(folder, 'moved'));
  const moveBack = (): Promise<void> => rename(join(folder, 'moved'), join(folder, 'program'));

  it('ends at a second signal', async () => {
    const running = await startAndMove(1, slowStop);
    running.signal('SIGTERM');
    await running.logs('stopping');
    const again = setInterval(() => running.signal('SIGTERM'), 500);
    const ended = await running.ended.finally(() => clearInterval(again));
    expect(ended).to.deep.equal([1, null]);
  });

  it('replaces a worker once the folder is back, and ends by a fault with its workers when it is gone again', async () => {
    const running = await startAndMove(2);
    const [first = 0, second = 0] = running.workers();
    process.kill(first, 'SIGUSR2');
    await running.logs('a worker could not start');
    expect(isRunning(first)).to.equal(false);
    expect(running.log().filter(({ level }) => level === 'fatal')).to.have.lengthOf(1);
    await moveBack();
    await running.listened(3);
    expect(running.workers()).to.have.lengthOf(2).and.to.include(second);
    await moveAway();
    await expectEndByFault(running);
    killIfRunning(first);
  });

  it('delivers to webhook endpoints once the folder is back, and stops at a signal with its workers when it is gone again', async () => {
    await fillStore(store.url, appKeys.full, ['ent_1']);
    const opened = await openAt(store.url);
    const endpoint = await ObservedEndpoint.addTo(opened);
    try {
      const running = await startAndMove(2, deliveryFlags);
      const canceled = await fetch(`${running.url}/api/app-entitlements/ent_1/cancel`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${appKeys.full}`, 'Idempotency-Key': 'in-the-gap-1' },
      });
      expect(canceled.status).to.equal(200);
      await running.logs('deliveries are interrupted; they go on when the store answers');
      await moveBack();
      expect(
        await eventually(
          async () => endpoint.deliveries,
          (count) => count > 0,
        ),
      ).to.be.greaterThan(0);
      await moveAway();
      await expectStop(running);
    } finally {
      await endpoint.close();
      await opened.close();
    }
  });
});

async function expectEndByFault(running: WorkersProcess): Promise<void> {
  const others = running.workers();
  running.signal('SIGUSR2');
  expect(await running.ended).to.deep.equal([1, null]);
  expect(lastOf(running)).to.equal('the process ends because of a fault');
  const left = await eventually(
    async () => others.filter(isRunning),
    ({ length }) => length === 0,
  );
  expect(left).to.deep.equal([]);
}

async function expectStop(running: WorkersProcess): Promise<void> {
  running.signal('SIGTERM');
  expect(await running.ended).to.deep.equal([0, null]);
  expect(lastOf(running)).to.equal('stopped');
}
