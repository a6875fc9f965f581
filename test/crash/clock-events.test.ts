import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { nodePlatform } from '../../app/service/platform.ts';
import { administrationOf } from '../../core/administration/administration.ts';
import type { Entitlement, Subscription } from '../../core/entitlement/entitlement.ts';
import { Refusal } from '../../core/refusal.ts';
import { aCall, aSubscription, day, granted } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { range } from '../support/range.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { openAt, sqlite, type OpenedStore, type StoreAddress } from '../support/stores/stores.ts';
import { entitlementsIn } from '../support/stores/whole-lists.ts';
import { clockViolations } from '../support/workload/clock-history.ts';

const count = 300;
/** The time from the first end to the last one, in milliseconds. */
const span = 2000;
const grace = 500;

describe(`${count} ends by the clock in a store that two servers sweep`, () => {
  let at: StoreAddress;
  let store: OpenedStore;
  let servers: readonly ServerProcess[] = [];

  before(async () => {
    at = await sqlite.address();
    store = await openAt(at.url);
    servers = await Promise.all([serve(at, '3s'), serve(at, '5s')]);
  });

  after(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await store.close();
    await at.remove();
  });

  it('have one event each, and none where a renewal came first', async () => {
    const first = Date.now() + 1500;
    const all = range(count).map((index) => ending(`ent_${index}`, first + (index * span) / count));
    await store.allEntitlements.add(granted(all), aCall());
    const renewed = all.filter((_, index) => index % 3 === 0);
    await Promise.all(renewed.map((entitlement) => renewAround(entitlement)));
    const end = first + span + grace;
    await pause(Math.max(0, end - Date.now()));
    const stored = await eventually(
      () => entitlementsIn(store),
      (entitlements) => entitlements.every(({ nextEventAt }) => nextEventAt === null || +nextEventAt > end),
    );
    const recorded = Map.groupBy(await eventsIn(store), ({ event }) => event.entitlement.id);
    for (const seen of all) {
      const own = (recorded.get(seen.id) ?? []).map(({ event }) => event);
      expect(clockViolations(seen, own, new Date(end))).to.deep.equal([]);
      expect(stored.find(({ id }) => id === seen.id)?.sequence).to.equal(own.length);
    }
  });

  it('are announced once each before, although a server is killed and another has another setting', async () => {
    const [first] = servers;
    const begin = Date.now() + 1500;
    const all = range(count).map((index) => {
      const entitlement = ending(`announced_${index}`, begin + (index * span) / count);
      return { ...entitlement, unannouncedEnd: entitlement.graceUntil };
    });
    await store.allEntitlements.add(granted(all), aCall());
    await eventually(announced, (own) => own.some(({ unannouncedEnd }) => unannouncedEnd === null));
    await first?.kill();
    servers = [...servers, await serve(at, '1h')];
    const end = begin + span + grace;
    await pause(Math.max(0, end - Date.now()));
    await eventually(announced, (own) => own.every(({ nextEventAt }) => nextEventAt === null));
    const recorded = Map.groupBy(await eventsIn(store), ({ event }) => event.entitlement.id);
    const types = all.map(({ id }) => (recorded.get(id) ?? []).map(({ event }) => event.type).join(' '));
    const expected = 'entitlement.ending_soon entitlement.past_due entitlement.ended';
    expect([...new Set(types)]).to.deep.equal([expected]);
  });

  /** Those of the test with announcements. */
  async function announced(): Promise<readonly Entitlement[]> {
    return (await entitlementsIn(store)).filter(({ id }) => id.startsWith('announced_'));
  }

  /** Renews at a random instant between a second before the end of the period and one after the grace. */
  async function renewAround(seen: Subscription): Promise<void> {
    const until = +seen.currentPeriodEnd - 1000 + Math.random() * 2000;
    await pause(Math.max(0, until - Date.now()));
    const { runEntitlementCommand } = administrationOf(store, nodePlatform);
    const renewal = { kind: 'renew', currentPeriodEnd: new Date(until + day), grace: day } as const;
    try {
      await runEntitlementCommand(seen.id, renewal, aCall({ now: new Date() }));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'changed_meanwhile') throw error;
    }
  }
});

function serve({ url }: StoreAddress, endingSoon: string): Promise<ServerProcess> {
  return startServerProcess(url, { flags: ['--ending-soon', endingSoon] });
}

function ending(id: string, end: number): Subscription {
  const currentPeriodEnd = new Date(Math.round(end));
  const graceUntil = new Date(+currentPeriodEnd + grace);
  const start = new Date(+currentPeriodEnd - day);
  return aSubscription({
    id,
    currentPeriodStart: start,
    createdAt: start,
    updatedAt: start,
    currentPeriodEnd,
    graceUntil,
  });
}
