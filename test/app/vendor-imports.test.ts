import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { runCommand } from '../support/cli/run-command.ts';
import { startCommandProcess } from '../support/processes/command-process.ts';
import { heapAfterCollections, heapBound, traceGc, withoutTrace } from '../support/processes/traced-heap.ts';
import { rounds } from '../support/run/long-runs.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { rowsIn } from '../support/stores/sqlite-file.ts';
import { sqlite, type StoreAddress } from '../support/stores/stores.ts';

const count = rounds(1500, 1_000_000);

/** The other columns and members of a record: in a sample as long as in several, so that kept records show in the heap. */
const rest = 'x'.repeat(rounds(7000, 800));
const map = { tool: { productId: 'prod_1', tierId: 'pro', tierName: 'Pro' } };

describe('an operator who imports the export of a vendor', function () {
  this.timeout(3_600_000);
  let store: StoreAddress;
  let folder: string;
  const file = (name: string): string => join(folder, name);

  beforeEach(async () => {
    store = await sqlite.address();
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await fillStore(store.url, 'an app key that nobody sends', []);
    await writeFile(file('map'), JSON.stringify(map));
  });
  afterEach(async () => {
    await store.remove();
    await rm(folder, { recursive: true });
  });

  it(`imports ${count} rows of Gumroad in bounded memory, half of them renewals`, async () => {
    await fill('sales.csv', gumroadRows());
    expect(await imported('gumroad', 'sales.csv')).to.equal(count / 2);
  });

  it(`imports ${count} license keys of Lemon Squeezy in bounded memory, from one page`, async () => {
    await fill('keys.json', lemonSqueezyPage());
    expect(await imported('lemonsqueezy', 'keys.json')).to.equal(count);
  });

  it('writes the keys that it makes into a file that only its user can read', async () => {
    const subscription = {
      id: 'sub_1',
      object: 'subscription',
      status: 'active',
      current_period_start: 1,
      current_period_end: 4_000_000_000,
      items: { data: [{ price: { id: 'tool', recurring: { interval: 'year', interval_count: 1 } } }] },
    };
    await writeFile(file('page.json'), JSON.stringify({ object: 'list', data: [subscription] }));
    const line = `entitlement import --json --from stripe --products ${file('map')} --keys-file ${file('keys')}`;
    expect(await runCommand(`${line} ${file('page.json')}`, store.url)).to.include({ exitCode: 0 });
    const { mode, size } = await stat(file('keys'));
    expect([(mode & 0o777).toString(8), size > 0]).to.deep.equal(['600', true]);
  });

  const fill = (name: string, pieces: Iterable<string>): Promise<void> =>
    pipeline(Readable.from(pieces), createWriteStream(file(name)));

  /** Imports a file, expects bounded memory, and gives the count of entitlements. */
  async function imported(vendor: string, name: string): Promise<number> {
    const line = `entitlement import --json --from ${vendor} --products ${file('map')} ${file(name)}`;
    const { exitCode, stdout } = await startCommandProcess(line, store.url, [], traceGc).run;
    const { errors, failed } = JSON.parse(withoutTrace(stdout)) as { errors: readonly unknown[]; failed: number };
    expect([exitCode, failed, errors]).to.deep.equal([0, 0, []]);
    expect(heapAfterCollections(stdout)).to.be.below(heapBound);
    return rowsIn(store.url.slice('sqlite:'.length), 'entitlements');
  }
});

/** Sales in the order of their ids: the first of every subscription, then a renewal of each. */
function* gumroadRows(): Iterable<string> {
  yield 'Purchase ID,Item Name,Purchase Email,Product ID,Variants,Recurrence,Recurring Charge?,Subscription End Date,Fully Refunded?,Disputed?,Dispute Won?,Access Revoked?,License Key,License Key Enabled?,Purchase Date,Review\n';
  for (let number = 0; number < count; number += 1) {
    const isRenewal = number >= count / 2;
    const key = keyOf(isRenewal ? number - count / 2 : number);
    const flags = `monthly,${isRenewal ? 1 : 0},,0,0,0,0`;
    yield `p${number},Tool,b${number}@shop.example,tool,,${flags},${key},1,2026-0${isRenewal ? 6 : 5}-15,${rest}\n`;
  }
  yield 'Totals,,,,,,,,,,,,,,,\n';
}

function* lemonSqueezyPage(): Iterable<string> {
  let separator = '{"data":[';
  for (let number = 0; number < count; number += 1) {
    const attributes = { product_id: 'tool', order_id: number, status: 'active', disabled: 0, key: keyOf(number) };
    const dates = { expires_at: null, created_at: '2025-05-24T14:15:07.000000Z', user_email: 'buyer@shop.example' };
    const record = { type: 'license-keys', id: String(number), attributes: { ...attributes, ...dates, rest } };
    yield separator + JSON.stringify(record);
    separator = ',';
  }
  yield ']}';
}

function keyOf(number: number): string {
  return `${number.toString(16).padStart(8, '0').toUpperCase()}-B2C3D4E5-C3D4E5F6-D4E5F6AF`;
}
