import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { placeId } from '../../../../core/copy/archive.port.ts';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import {
  changeCancellation,
  type CancellationAnswer,
} from '../../../../core/entitlement/merchant/change-cancellation.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  aListing,
  anAppKey,
  aOneTimePurchase,
  aRecord,
  aSignUp,
  aSubscription,
  changed,
  granted,
  hour,
  later,
} from '../../../support/builders.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { range } from '../../../support/range.ts';
import { compared, copied, freshAddresses, inStore } from '../../../support/stores/copies.ts';
import { eventsIn } from '../../../support/stores/event-log.ts';
import { openAt, type OpenedStore } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';
import { violations } from '../../../support/workload/history.ts';
import { Traffic } from '../../../support/workload/traffic.ts';

describe('copying a store', () => {
  const fresh = freshAddresses();

  it('copies everything from SQLite to MongoDB and back, so that equal requests get equal answers', async () => {
    const [first, second, third] = [await fresh('sqlite'), await fresh('mongo'), await fresh('sqlite')];
    await inStore(first, fill);
    const there = await copied(first.url, second.url);
    const back = await copied(second.url, third.url);
    expect([there, back]).to.deep.equal(
      range(2).map(() => ({ entries: 421, differences: 0, first: [], written: 421 })),
    );
    const answers = [];
    for (const address of [first, second, third]) answers.push(await inStore(address, answersOf));
    const replays = range(3).map((number) => ({ replayed: true, correlationId: `answer-${number}` }));
    expect(answers[0]?.map(({ replayed, correlationId }) => ({ replayed, correlationId }))).to.deep.equal(replays);
    expect(answers[1]).to.deep.equal(answers[0]);
    expect(answers[2]).to.deep.equal(answers[0]);
  });

  it('keeps the events of each product, their positions and their ids, and goes on behind them', async () => {
    const addresses = [await fresh('sqlite'), await fresh('mongo'), await fresh('mongo'), await fresh('sqlite')];
    const [first] = addresses;
    if (first === undefined) throw new Error('there are four stores');
    const grown = await inStore(first, async (store) => {
      await fill(store);
      return eventsIn(store);
    });
    for (const [index, { url }] of addresses.entries()) {
      const next = addresses[index + 1];
      if (next !== undefined) await copied(url, next.url);
      const log = await inStore(addresses[index] ?? first, async (store) => {
        await cancelAgain(store);
        return eventsIn(store);
      });
      expect(log.slice(0, -1)).to.deep.equal(grown);
      expect(log.at(-1)?.position).to.equal(grown.length + 1);
    }
  });

  it('keeps the note of a restore, after which no server has returned', async () => {
    const [first, second, third] = [await fresh('sqlite'), await fresh('mongo'), await fresh('sqlite')];
    await inStore(first, (store) => store.clockMarks.noteRestore(later(-hour), aCall()));
    await copied(first.url, second.url);
    await copied(second.url, third.url);
    for (const address of [second, third])
      expect(await inStore(address, (store) => store.clockMarks.restoredAt(aCall()))).to.deep.equal(later(-hour));
  });

  it('refuses a target that is not empty, and leaves it unchanged', async () => {
    const [from, to] = [await fresh('sqlite'), await fresh('mongo')];
    await inStore(from, fill);
    await inStore(to, (store) => store.waitlist.join(aSignUp(), aCall()));
    expect((await refusalOf(copied(from.url, to.url))).code).to.equal('copy_target_used');
    const { differences } = await compared(from.url, to.url);
    expect(differences).to.equal(421);
  });

  it('brings a copy up to date with what was added, changed, moved and removed', async () => {
    for (const [source, target] of [
      ['sqlite', 'mongo'],
      ['mongo', 'sqlite'],
    ] as const) {
      const [from, to] = [await fresh(source), await fresh(target)];
      await inStore(from, fill);
      await copied(from.url, to.url);
      await inStore(from, changeSome);
      const before = await compared(from.url, to.url);
      expect(before.first).to.deep.equal([
        { section: 'products', kind: 'missing', id: 'prod_new' },
        { section: 'appKeys', kind: 'different', id: anAppKey().digest },
        { section: 'entitlements', kind: 'missing', id: 'a-new-holder' },
        { section: 'entitlements', kind: 'different', id: 'licensed' },
        { section: 'listings', kind: 'different', id: aListing().slug },
        { section: 'signUps', kind: 'surplus', id: null },
        { section: 'events', kind: 'missing', id: placeId('prod_1', 3) },
      ]);
      expect(await copied(from.url, to.url, true)).to.deep.equal({
        entries: 423,
        differences: 0,
        first: [],
        written: 10,
      });
      expect(await copied(from.url, to.url, true)).to.include({ written: 0 });
    }
  });

  it('has the promises to keep idempotency records', async () => {
    const promise = { milliseconds: 100 * hour, until: later(5) };
    for (const [source, target] of [
      ['sqlite', 'mongo'],
      ['mongo', 'sqlite'],
    ] as const) {
      const [from, to] = [await fresh(source), await fresh(target)];
      await inStore(from, (store) => store.archive?.retentionPromises.add(promise, aCall()) ?? Promise.reject());
      await copied(from.url, to.url);
      const promises = await inStore(to, async (store) => store.archive?.retentionPromises.list(aCall()));
      expect(promises).to.deep.equal([promise]);
    }
  });

  it('has everything that was acknowledged during the copy, once it was resumed', async () => {
    const [from, to] = [await fresh('sqlite'), await fresh('mongo')];
    const traffic = new Traffic(40);
    const store = await openAt(from.url);
    await traffic.begin(store);
    const copying = new AbortController();
    const clients = range(4).map(async (client) => {
      for (let request = 0; !copying.signal.aborted || request <= 10; request += 1) {
        const entitlementId = traffic.ids[(client + request * 7) % traffic.ids.length] ?? '';
        const operation = request % 2 === 0 ? 'cancel' : 'resume';
        await traffic.settle(store, { entitlementId, operation, key: `client-${client}-${request}` });
      }
    });
    await copied(from.url, to.url).catch(() => {});
    copying.abort();
    await Promise.all(clients);
    expect(await copied(from.url, to.url, true)).to.deep.include({ differences: 0 });
    await store.close();
    expect(traffic.successes).to.be.greaterThan(40);
    const history = await inStore(to, (copy) => traffic.history(copy));
    expect(violations(history)).to.deep.equal([]);
  });

  it('is a command that reports the same content, or exits with 1 and the first differences', async () => {
    const [from, to] = [await fresh('sqlite'), await fresh('mongo')];
    const urls = ['--from', from.url, '--to', to.url];
    await inStore(from, async (store) => {
      await store.allEntitlements.add(granted([aSubscription()]), aCall());
      await store.waitlist.join(aSignUp(), aCall());
    });
    const cli = new TestCommandLine();
    const done = { exitCode: 0, stdout: 'the same: 2\n', stderr: '' };
    expect(await cli.run(['store', 'copy', ...urls])).to.deep.equal(done);
    expect(await cli.run(['store', 'compare', ...urls])).to.deep.equal(done);
    await inStore(from, (store) => store.waitlist.erase(aSignUp().email, aCall()));
    await inStore(from, (store) =>
      store.allEntitlements.replace(
        aSubscription(),
        changed(aSubscription()),
        aChangeRecord(changed(aSubscription())),
        aCall(),
      ),
    );
    expect(await cli.run(['store', 'compare', ...urls])).to.deep.equal({
      exitCode: 1,
      stdout:
        'entitlement ent_1: different\nan entry of the waitlist: only in the other store\nevent prod_1 000000000000001: only in the store to read\n',
      stderr:
        'The stores differ in 3 places. If the source was changed meanwhile, stop what writes to it and run again with --resume.\n',
    });
    const used = await cli.run(['store', 'copy', ...urls]);
    expect([used.exitCode, used.stderr]).to.deep.equal([
      1,
      'The store to copy to is not empty; nothing was done. To go on with a copy, add --resume.\n',
    ]);
    expect(await cli.run(['store', 'copy', ...urls, '--resume'])).to.deep.equal({ ...done, stdout: 'the same: 2\n' });
    expect(await cli.run(['store', 'copy', ...urls, '--resume'])).to.include({ exitCode: 0 });
    expect(cli.changes).to.deep.equal([
      { command: 'store copy', entries: 2 },
      { command: 'store copy', entries: 4 },
    ]);
    expect((await cli.run(['store', 'compare', '--from', 'memory:', '--to', to.url])).exitCode).to.equal(1);
  });
});

const licensed = aSubscription({ id: 'licensed', license: aLicense({ revokedAt: later(5) }) });
const change = { operation: 'cancel', productId: 'prod_1', entitlementId: 'recorded' } as const;

/** Stores 421 entries, with a value in every field. */
async function fill(store: OpenedStore): Promise<void> {
  await store.products.add({ id: 'prod_1', name: 'Größe "XL" $ref 🎉', createdAt: later(1) }, aCall());
  await store.allAppKeys.add(anAppKey({ expiresAt: later(7), lastUsedAt: later(3) }), aCall());
  const recorded = aSubscription({ id: 'recorded', hold: { kind: 'suspended' }, tierName: '$$NOW' });
  const many = range(400).map((index) => aSubscription({ id: `many-${index}` }));
  const expired = aSubscription({ id: 'expired' });
  await store.allEntitlements.add(granted([licensed, recorded, expired, aOneTimePurchase(), ...many]), aCall());
  const cancel = changeCancellation(store.entitlements, store.idempotencyRecords, nodePlatform.newEventId);
  for (const number of range(3)) {
    await cancel({ ...change, idempotencyKey: `key-number-${number}` }, aCall({ correlationId: `answer-${number}` }));
  }
  const long = later(-2 * retentionFor(defaultTtl).milliseconds);
  await store.entitlements.replace(
    expired,
    changed(expired),
    aRecord(expired, { at: long }),
    aChangeRecord(changed(expired)),
    aCall({ now: long }),
  );
  await store.listings.put([aListing(), aListing({ id: 'lst_2', slug: 'a-draft', state: 'draft' })], aCall());
  const addresses = [
    'ada@example.com',
    'Grace@Example.COM',
    '\u{1F600}@example.com',
    '\uFF5E@example.com',
    'z@example.com',
  ];
  for (const email of addresses) await store.waitlist.join(aSignUp({ email, name: null }), aCall());
  for (const index of range(6)) await store.waitlist.join(aSignUp({ email: `${index}@example.com` }), aCall());
}

async function changeSome(store: OpenedStore): Promise<void> {
  await store.products.add({ id: 'prod_new', name: 'New', createdAt: later(1) }, aCall());
  await store.allAppKeys.end('key_1', { revokedAt: later(2) }, aCall());
  await store.allEntitlements.replace(
    licensed,
    { ...changed(licensed), license: null },
    aChangeRecord({ ...changed(licensed), license: null }),
    aCall(),
  );
  await store.allEntitlements.add(granted([aSubscription({ id: 'a-new-holder', license: licensed.license })]), aCall());
  await store.listings.setState(aListing().slug, 'paused', aCall());
  await store.waitlist.erase('z@example.com', aCall());
}

/** Changes the entitlement that was canceled before. */
async function cancelAgain(store: OpenedStore): Promise<void> {
  const resume = changeCancellation(store.entitlements, store.idempotencyRecords, nodePlatform.newEventId);
  await resume({ ...change, operation: 'resume', idempotencyKey: 'a-key-of-its-own' }, aCall());
}

/** Repeats the requests that the store has records of. */
async function answersOf(store: OpenedStore): Promise<readonly CancellationAnswer[]> {
  const cancel = changeCancellation(store.entitlements, store.idempotencyRecords, nodePlatform.newEventId);
  const keys = range(3).map((number) => `key-number-${number}`);
  return Promise.all(keys.map((idempotencyKey) => cancel({ ...change, idempotencyKey }, aCall())));
}
