import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { aCall, aSubscription, day, granted } from '../../support/builders.ts';
import { ServerWithClock } from '../../support/clock/server-with-clock.ts';
import { eventually } from '../../support/eventually.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { openAt, sqlite, type OpenedStore, type StoreAddress } from '../../support/stores/stores.ts';
import { entitlementsIn } from '../../support/stores/whole-lists.ts';

const inDoubt = 'no events of the clock are stored';

const withFaketime = isLeftOut('faketime') ? null : describe;

withFaketime?.('servers with wrong clocks', () => {
  const servers: ServerWithClock[] = [];
  let at: StoreAddress;
  let store: OpenedStore;
  beforeEach(async () => {
    at = await sqlite.address();
    store = await openAt(at.url);
    const now = new Date();
    await store.products.add({ id: 'prod_1', name: 'One', createdAt: now }, aCall({ now }));
    await grant('ent_1', new Date(now.getTime() + 30 * day));
    await change('suspend');
    await change('reinstate');
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill();
    await store.close();
    await at.remove();
  });

  it('end nothing and remove nothing, while one with the right clock goes on', async () => {
    const right = await start('+0d');
    expect(right).to.equal(servers[0]);
    await eventually(mark, (found) => found !== null);
    const wrong = await start('+40d', '--workers', '2');
    const behind = await start('-1d');
    await wrong.logs(inDoubt);
    await behind.logs('the clock is behind');
    await behind.set('+100d');
    await behind.logs('the clock has jumped ahead');
    await grant('ent_soon', new Date(Date.now() + 2000));
    const recorded = await eventually(hasEnded, (ended) => ended.includes('ent_soon'));
    expect(recorded).to.deep.equal(['ent_soon']);
    expect((await store.events.page('prod_1', 0, 1, aCall())).first).to.equal(1);
    const latest = await mark();
    expect(latest !== null && latest <= new Date()).to.equal(true);
  });

  async function start(offset: string, ...flags: readonly string[]): Promise<ServerWithClock> {
    const server = await ServerWithClock.start(at.url, offset, ...flags);
    servers.push(server);
    return server;
  }

  async function grant(id: string, end: Date): Promise<void> {
    const now = new Date();
    const subscription = aSubscription({
      id,
      updatedAt: now,
      currentPeriodStart: now,
      currentPeriodEnd: end,
      graceUntil: end,
    });
    await store.allEntitlements.add(granted([subscription]), aCall({ now }));
  }

  /** Changes an entitlement, and stores the event by itself. */
  async function change(kind: 'suspend' | 'reinstate'): Promise<void> {
    await administrationOf(store, nodePlatform).runEntitlementCommand('ent_1', { kind }, aCall({ now: new Date() }));
    await store.settle();
  }

  /** The entitlements whose end has its event. */
  async function hasEnded(): Promise<readonly string[]> {
    const all = await entitlementsIn(store);
    return all.filter(({ nextEventAt }) => nextEventAt === null).map(({ id }) => id);
  }

  async function mark(): Promise<Date | null> {
    return (await store.clockMarks.read(aCall())).mark;
  }
});
