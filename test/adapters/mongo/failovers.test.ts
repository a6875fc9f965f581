import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import type { Entry } from '../../../core/copy/archive.port.ts';
import { deviceOf } from '../../../core/device/device.ts';
import { defaultSeats } from '../../../core/device/seats.ts';
import { takeSeat } from '../../../core/device/take-seat.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { changeCancellation } from '../../../core/entitlement/merchant/change-cancellation.ts';
import { withoutTiers } from '../../../core/tier/allowance.ts';
import { aCall, anAppKey, aSubscription, granted, noon } from '../../support/builders.ts';
import { startServers, type Servers } from '../../support/mongo/mongod.ts';
import { hideCommits, membersReady, primaryOf } from '../../support/mongo/replica-set.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { openAt, type OpenedStore } from '../../support/stores/stores.ts';

const failovers = Number(process.env['FAILOVERS'] ?? rounds(3, 20));
const writers = 4;

/** More than the writers get done before, during and after one failover. */
const changesPerFailover = 600;

/**
 * The number of acknowledged changes that are read again and again. The last ones before a failover are those at risk.
 */
const watchedChanges = 30;

interface Change {
  readonly what: string;
  readonly carryOut: (store: OpenedStore) => Promise<unknown>;
  readonly isSeenBy: (store: OpenedStore) => Promise<boolean>;
}

describe(`a MongoDB replica set that loses its primary ${failovers} times`, () => {
  let servers: Servers;
  let writer: OpenedStore;
  let other: OpenedStore;

  before(async () => {
    servers = await startServers(3);
    await membersReady(servers);
    writer = await openAt(servers.url('latchkey'));
    other = await openAt(servers.url('latchkey'));
  });
  after(async () => {
    await writer.close();
    await other.close();
    await servers.end();
  });

  it('refuses revoked app keys, and shows acknowledged cancellations and seats, to the process that wrote them and to others', async () => {
    for (const failover of range(failovers)) {
      const traffic = new Traffic(await changesFor(failover, writer));
      const running = traffic.run(writer, [writer, other]);
      const primary = await primaryOf(servers);
      await traffic.progress(100);
      await hideCommits(primary);
      await primary.signal('KILL');
      await traffic.progress(20);
      traffic.stop();
      await running;
      expect(traffic.missed, `failover ${failover}`).to.deep.equal([]);
      await primary.start();
      await membersReady(servers);
    }
  });
});

/** Carries changes out, each until it is acknowledged, and reads those that were acknowledged all the time. */
class Traffic {
  /** Acknowledged changes that a later read did not show. */
  readonly missed: string[] = [];
  readonly #changes: readonly Change[];
  readonly #acknowledged: Change[] = [];
  #stopped = false;

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  /** Resolves when it has been stopped. */
  async run(writer: OpenedStore, readers: readonly OpenedStore[]): Promise<void> {
    const writing = range(writers).map((index) => this.#write(writer, index));
    await Promise.all([...writing, ...readers.map((reader) => this.#read(reader))]);
  }

  /** Resolves when `changes` more changes have been acknowledged. */
  async progress(changes: number): Promise<void> {
    const goal = this.#acknowledged.length + changes;
    while (this.#acknowledged.length < goal) await sleep(10);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #write(store: OpenedStore, first: number): Promise<void> {
    for (let index = first; index < this.#changes.length && !this.#stopped; index += writers) {
      const change = this.#changes[index];
      if (change === undefined) return;
      while (!(await change.carryOut(store).then(isDone, isNotDone))) await sleep(10);
      this.#acknowledged.push(change);
    }
  }

  async #read(store: OpenedStore): Promise<void> {
    while (!this.#stopped) {
      const watched = this.#acknowledged.slice(-watchedChanges);
      // A read that is refused shows nothing wrong.
      const seen = await Promise.all(watched.map(({ isSeenBy }) => isSeenBy(store).catch(() => true)));
      this.missed.push(...watched.filter((_, index) => seen[index] === false).map(({ what }) => what));
      await sleep(10);
    }
  }
}

function isDone(): boolean {
  return true;
}

function isNotDone(): boolean {
  return false;
}

/** Stores app keys and subscriptions, to be revoked and canceled, and activated on a device, in turn. */
async function changesFor(failover: number, store: OpenedStore): Promise<readonly Change[]> {
  const names = range(changesPerFailover / 3).map((index) => `${failover}-${index}`);
  const entries = names.map((name): Entry => {
    const key = anAppKey({ id: `key-${name}`, digest: `digest-${name}` });
    return { section: 'appKeys', id: key.digest, value: key };
  });
  await store.archive?.insert(entries, aCall());
  const subscriptions = names.map((name) => aSubscription({ id: `ent-${name}` }));
  await store.allEntitlements.add(granted(subscriptions), aCall());
  return names.flatMap((name) => [revocationOf(name), cancellationOf(name), activationOf(name)]);
}

function revocationOf(name: string): Change {
  return {
    what: `the revocation of ${name}`,
    carryOut: ({ allAppKeys }) => allAppKeys.end(`key-${name}`, { revokedAt: noon }, aCall()),
    isSeenBy: async ({ appKeys }) => (await appKeys.find(`digest-${name}`, aCall()))?.revokedAt !== null,
  };
}

const seatParts = {
  digest,
  trustsClock: () => true,
  newEventId: nodePlatform.newEventId,
  settings: defaultSeats,
  endingSoon: 0,
  knownTiers: withoutTiers.knownTiers,
};

function activationOf(name: string): Change {
  const id = `ent-${name}`;
  const request = { deviceId: `machine-${name}`, name: null, replace: null, offlineUntil: null };
  return {
    what: `the seat of ${name}`,
    carryOut: ({ allEntitlements, devices }) => {
      const take = takeSeat({ ...seatParts, devices });
      const read = async (): Promise<Entitlement> => {
        const found = await allEntitlements.find(id, aCall());
        if (found === null) throw new Error(`${id} is not known`);
        return found;
      };
      return take(read, request, aCall());
    },
    isSeenBy: async ({ devices }) => (await devices.find(id, deviceOf(id, request.deviceId, digest), aCall())) !== null,
  };
}

function cancellationOf(name: string): Change {
  const entitlementId = `ent-${name}`;
  const request = {
    operation: 'cancel',
    productId: 'prod_1',
    entitlementId,
    idempotencyKey: `cancel-${name}`,
  } as const;
  return {
    what: `the cancellation of ${name}`,
    carryOut: (store) =>
      changeCancellation(store.entitlements, store.idempotencyRecords, nodePlatform.newEventId)(request, aCall()),
    isSeenBy: async ({ entitlements }) => {
      const entitlement = await entitlements.find(entitlementId, 'prod_1', aCall());
      return entitlement?.kind === 'subscription' && entitlement.cancellation !== null;
    },
  };
}
