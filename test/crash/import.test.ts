import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import { licenseDigest } from '../../core/license/license-key.ts';
import { aCall, aLicense, aListing, aSubscription, granted } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { aLatch } from '../support/latch.ts';
import { heldBack } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { rounds } from '../support/run/long-runs.ts';
import { rowsIn } from '../support/stores/sqlite-file.ts';
import { openAt, type OpenedStore } from '../support/stores/stores.ts';

const lines = rounds(20_000, 100_000);
/** Listings after which the import is killed. */
const first = 2000;
const program = fileURLToPath(new URL('../../app/main.js', import.meta.url));
const licenseKey = 'the-key-of-the-import-test';

describe(`an import of ${lines} lines into a running server`, () => {
  let folder: string;
  let catalog: string;
  let store: OpenedStore;
  let server: ServerProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    catalog = join(folder, 'catalog.ndjson');
    await pipeline(Readable.from(listingLines()), createWriteStream(catalog));
    store = await openAt(`sqlite:${join(folder, 'latchkey.db')}`);
    const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
    const farAway = new Date('2099-01-01T00:00:00.000Z');
    await store.allEntitlements.add(
      granted([aSubscription({ license, currentPeriodEnd: farAway, graceUntil: farAway })]),
      aCall(),
    );
    server = await startServerProcess(`sqlite:${join(folder, 'latchkey.db')}`);
  });

  after(async () => {
    await server.kill();
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('completes when it is run again after being killed, while licenses are verified', async () => {
    const killed = startImport('-');
    const isKilled = aLatch();
    const feeding = pipeline(Readable.from(heldBack(listingLines(), isKilled)), killed.stdin).catch(() => undefined);
    await eventually(stored, (count) => count >= first);
    killed.kill('SIGKILL');
    isKilled.release();
    await Promise.all([once(killed, 'exit'), feeding]);
    const before = await stored();

    const again = startImport(catalog);
    const answer = text(again.stdout);
    const ended = once(again, 'exit');
    await verifyUntil(ended);
    expect(JSON.parse(await answer)).to.deep.equal({ imported: lines, failed: 0, errors: [] });
    expect(before).to.be.within(first, lines - 1);
    expect(await eventually(total, (count) => count === lines)).to.equal(lines);
  });

  function startImport(input: string): ReturnType<typeof startNode> {
    const args = [program, '--json', 'listing', 'import', input];
    const environment = { ...process.env, STORE_URL: `sqlite:${join(folder, 'latchkey.db')}` };
    return startNode(args, { env: environment });
  }

  /** The listings in the store, before a server shows them. */
  const stored = (): Promise<number> => rowsIn(join(folder, 'latchkey.db'), 'listings');

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
