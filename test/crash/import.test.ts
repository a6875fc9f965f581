import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import { licenseDigest } from '../../core/license/license-key.ts';
import { aCall, aLicense, aListing, aSubscription, granted } from '../support/builders.ts';
import { valueOf } from '../support/cli/run-command.ts';
import { eventually } from '../support/eventually.ts';
import { aLatch } from '../support/latch.ts';
import { heldBack, programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { rounds } from '../support/run/long-runs.ts';
import { rowsIn } from '../support/stores/sqlite-file.ts';
import { openAt, type OpenedStore } from '../support/stores/stores.ts';

const lines = rounds(5000, 100_000);
/** Listings after which the import is killed. */
const first = 2000;
/** The number of listings that it is given until then. */
const given = 4000;
const licenseKey = 'the-key-of-the-import-test';

describe(`an import of ${lines} lines into a running server`, () => {
  let folder: string;
  let catalog: string;
  let store: OpenedStore;
  let server: ServerProcess;

  const file = (): string => join(folder, 'latchkey.db');
  const storeUrl = (): string => `sqlite:${file()}`;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    catalog = join(folder, 'catalog.ndjson');
    await pipeline(Readable.from(listingLines()), createWriteStream(catalog));
    store = await openAt(storeUrl());
    const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
    const farAway = new Date('2099-01-01T00:00:00.000Z');
    await store.allEntitlements.add(
      granted([aSubscription({ license, currentPeriodEnd: farAway, graceUntil: farAway })]),
      aCall(),
    );
    server = await startServerProcess(storeUrl());
  });

  after(async () => {
    await server.kill();
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('completes when it is run again after being killed, while licenses are verified', async () => {
    const killed = startNode([programPath, 'listing', 'import', '-', '--store', storeUrl()]);
    const isKilled = aLatch();
    const feeding = pipeline(Readable.from(heldBack(listingLines(), isKilled, given)), killed.stdin).catch(
      () => undefined,
    );
    await eventually(stored, (count) => count >= first);
    killed.kill('SIGKILL');
    isKilled.release();
    await Promise.all([once(killed, 'exit'), feeding]);
    const before = await stored();

    const again = valueOf(`listing import ${catalog}`, storeUrl());
    await verifyUntil(again);
    expect(await again).to.deep.equal({ imported: lines, failed: 0, errors: [] });
    expect(before).to.be.within(first, lines - 1);
    expect(await eventually(total, (count) => count === lines)).to.equal(lines);
  });

  /** The listings in the store, before a server shows them. */
  const stored = (): Promise<number> => rowsIn(file(), 'listings');

  async function total(): Promise<number> {
    const response = await fetch(`${server.url}/api/marketplace/listings?limit=1`);
    return ((await response.json()) as { meta: { total: number } }).meta.total;
  }

  async function verifyUntil(end: Promise<unknown>): Promise<void> {
    const running = Symbol('running');
    while ((await Promise.race([end, Promise.resolve(running)])) === running) {
      const response = await fetch(`${server.url}/api/licenses/verify`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ licenseKey }),
      });
      expect(((await response.json()) as { valid: boolean }).valid).to.equal(true);
      await pause(5);
    }
  }
});

function* listingLines(): Iterable<string> {
  for (let number = 0; number < lines; number += 1) {
    const {
      id: _,
      publishedAt: _at,
      ...draft
    } = aListing({
      slug: `listing-${number}`,
      name: `Listing ${number}`,
      blurb: `Number ${number} of a catalog that is larger than any that one merchant is likely to have`,
      category: `Category ${number % 12}`,
      storefrontCount: (number * 7919) % 1009,
    });
    yield `${JSON.stringify(draft)}\n`;
  }
}
