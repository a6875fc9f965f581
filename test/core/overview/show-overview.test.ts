import { expect } from 'chai';
import type { Entitlement, Subscription } from '../../../core/entitlement/entitlement.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { showOverview, type Overview } from '../../../core/overview/show-overview.ts';
import {
  aCall,
  aChangeRecord,
  anEvent,
  aOneTimePurchase,
  aSignUp,
  aSubscription,
  day,
  granted,
  hour,
  later,
  noon,
} from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const deviceTypes = ['device.activated', 'device.released'] as const;

/** An entitlement that is past due for `hours` more hours. */
function pastDue(id: string, hours: number): Subscription {
  return aSubscription({ id, currentPeriodEnd: later(-hour), graceUntil: later(hours * hour) });
}

const canceled = (at: Date): Partial<EntitlementEvent> => ({ type: 'entitlement.cancellation_scheduled', at });

describe('the overview', () => {
  const store = freshStore(memory.open);
  const show = (): Promise<Overview> => showOverview(store())(aCall());
  const none = Array.from({ length: 14 }, () => 0);

  const grant = async (id: string, at: Date): Promise<void> => {
    const entitlement = aSubscription({
      id,
      createdAt: at,
      sequence: 1,
      currentPeriodEnd: later(30 * day),
      graceUntil: later(31 * day),
    });
    const changeRecord = { ...aChangeRecord(entitlement), events: [anEvent(entitlement, { id: `evt_${id}`, at })] };
    await store().allEntitlements.add([{ entitlement, changeRecord }], aCall());
  };

  const add = async (id: string, endpoint: object, stream: object): Promise<void> => {
    await store().webhookEndpoints.add(anEndpoint({ id, ...endpoint }), aCall());
    const added = aStream({ endpointId: id, addition: anEndpoint().addition, ...stream });
    await store().deliveryStreams.add([added], aCall());
  };

  const log = async (events: readonly Partial<EntitlementEvent>[]): Promise<void> => {
    const entitlement = aSubscription({ sequence: events.length });
    const all = events.map((event, index) => anEvent(entitlement, { id: `evt_${index}`, ...event }));
    await store().allEntitlements.add(
      [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events: all } }],
      aCall(),
    );
  };
  const addAll = (entitlements: readonly Entitlement[]) => store().allEntitlements.add(granted(entitlements), aCall());

  it('says nothing of an empty store', async () => {
    expect(await show()).to.deep.equal({
      endpoints: [],
      backup: { kind: 'unknown' },
      pastDue: { count: 0, isMinimum: false, firstEnd: null },
      grants: none,
      cancellations: none,
      signUps: none,
      changes: [],
    });
  });

  it('counts grants and sign-ups by the day of UTC, and leaves out those before the first', async () => {
    await store().products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
    for (const [id, ago] of [
      ['before', 14],
      ['oldest', 13],
      ['yesterday', 1],
      ['today', 0],
    ] as const) {
      await grant(id, later(-ago * day));
      await store().waitlist.join(aSignUp({ email: `${id}@example.com`, at: later(-ago * day) }), aCall());
    }
    const { grants, signUps, cancellations, changes } = await show();
    const expected = none.with(0, 1).with(12, 1).with(13, 1);
    expect([grants, signUps, cancellations]).to.deep.equal([expected, expected, none]);
    expect(changes.map(({ event }) => event.entitlement.id)).to.deep.equal(['today', 'yesterday', 'oldest', 'before']);
  });

  it('leaves devices out of the latest changes, however many there are', async () => {
    await store().products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
    await grant('ent_1', later(-2 * hour));
    const entitlement = aSubscription({ id: 'ent_2', sequence: 1 });
    const types = [
      'entitlement.granted',
      ...range(30).map((index) => deviceTypes[index % 2] ?? 'device.activated'),
    ] as const;
    const events = types.map((type, index) => anEvent(entitlement, { id: `evt_${index}`, type, at: later(index) }));
    await store().allEntitlements.add(
      [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events } }],
      aCall(),
    );
    const shown = (await show()).changes.map(({ event }) => [event.entitlement.id, event.type]);
    expect(shown).to.deep.equal([
      ['ent_2', 'entitlement.granted'],
      ['ent_1', 'entitlement.granted'],
    ]);
  });

  it('counts what is past due, and says when the first of it loses access', async () => {
    for (const entitlement of [pastDue('ent_1', 5), pastDue('ent_2', 3), aSubscription({ id: 'ent_3' })]) {
      await store().allEntitlements.add([{ entitlement, changeRecord: aChangeRecord(entitlement) }], aCall());
    }
    expect((await show()).pastDue).to.deep.equal({ count: 2, isMinimum: false, firstEnd: later(3 * hour) });
  });

  it('names endpoints that fail, were disabled for it or have parked events, and no others', async () => {
    const parked = new Map([['ent_1', { positions: [3], attempt: 9, at: null }]]);
    await add('whk_fine', {}, {});
    await add('whk_failing', {}, { failingSince: later(-hour), failing: ['ent_1'] });
    await add('whk_gone', { state: 'disabled', reason: 'gone' }, {});
    await add('whk_given-up', { state: 'disabled', reason: 'failing' }, {});
    await add('whk_parked', {}, { pending: parked });
    await add('whk_requested', { state: 'disabled', reason: 'requested' }, { pending: parked });
    const { endpoints } = await show();
    const facts = endpoints.map(({ endpoint, failing, parked: count }) => [endpoint.id, failing?.since ?? null, count]);
    expect(facts).to.deep.equal([
      ['whk_failing', later(-hour), 0],
      ['whk_given-up', null, 0],
      ['whk_gone', null, 0],
      ['whk_parked', null, 1],
    ]);
  });

  it('leaves out the backup and the sign-ups for a caller with some products', async () => {
    await store().waitlist.join(aSignUp(), aCall());
    const lastBackup = { kind: 'made', at: noon } as const;
    const ports = { ...store(), maintenance: { lastBackup: async () => lastBackup } };
    const all = await showOverview(ports)(aCall());
    expect([all.backup, all.signUps]).to.deep.equal([lastBackup, none.with(13, 1)]);
    const some = await showOverview(ports)(aCall({ products: new Set(['prod_1']) }));
    expect([some.backup, some.signUps]).to.deep.equal([{ kind: 'unknown' }, null]);
  });

  describe('of many events', () => {
    let reads: number;
    beforeEach(async () => {
      reads = 0;
      await store().products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
    });

    /** The overview, and how many slices of events it has counted. */
    const counted = async (): Promise<Overview> => {
      const events = interposed(store().events, (method, [productId, _after, limit]) => {
        if (method === 'page' && productId === 'prod_1' && limit === 500) reads += 1;
      });
      return showOverview({ ...store(), events })(aCall());
    };

    it('counts those of each slice', async () => {
      await log([...range(1001).map(() => canceled(later(-day))), { at: noon }]);
      const { cancellations, grants } = await counted();
      expect([cancellations, grants]).to.deep.equal([none.with(12, 1001), none.with(13, 1)]);
      expect(reads).to.equal(2);
    });

    it('reads none before one that is older than the counted days, but for those of the clock', async () => {
      const old = later(-14 * day);
      await log([
        ...range(1000).map(() => canceled(old)),
        ...range(499).map(() => canceled(noon)),
        canceled(old),
        ...range(499).map(() => canceled(noon)),
        { ...canceled(old), by: 'clock' },
      ]);
      expect((await counted()).cancellations).to.deep.equal(none.with(13, 998));
      expect(reads).to.equal(2);
    });

    it('reads on before the first instant of the first day', async () => {
      const first = new Date(Math.floor(noon.getTime() / day) * day - 13 * day);
      await log([canceled(first), ...range(499).map(() => canceled(noon)), canceled(first)]);
      expect((await counted()).cancellations).to.deep.equal(none.with(0, 2).with(13, 499));
    });

    it('says no number that is not whole', async () => {
      await log(range(10_000).map(() => canceled(noon)));
      expect((await counted()).cancellations).to.deep.equal(none.with(13, 10_000));
      const [entitlement] = [aSubscription({ id: 'ent_2', sequence: 1 })];
      const events = [anEvent(entitlement, { id: 'evt_of-another', at: noon })];
      const changeRecord = { ...aChangeRecord(entitlement), events };
      await store().allEntitlements.add([{ entitlement, changeRecord }], aCall());
      const { cancellations, grants, changes } = await counted();
      expect([cancellations, grants, changes.length]).to.deep.equal([null, null, 10]);
    });
  });

  it('counts at most a thousand that are past due, and looks at ten thousand', async () => {
    await addAll(range(1000).map((number) => pastDue(`ent_${1000 + number}`, 5 + (number % 3))));
    await addAll([aOneTimePurchase({ id: 'aaa', accessEndsAt: later(-hour) })]);
    const expected = { count: 1000, isMinimum: false, firstEnd: later(5 * hour) };
    expect((await show()).pastDue).to.deep.equal(expected);
    await addAll([aSubscription({ id: 'zzz' })]);
    expect((await show()).pastDue).to.deep.equal({ ...expected, isMinimum: true });
  });

  it('looks at ten thousand entitlements and sign-ups', async () => {
    const active = { currentPeriodEnd: later(30 * day), graceUntil: later(31 * day) };
    const many = range(9999).map((number) => aSubscription({ ...active, id: `ent_${10_000 + number}` }));
    await store().allEntitlements.add(granted([...many, pastDue('zzz', 2)]), aCall());
    const join = (number: number) => store().waitlist.join(aSignUp({ email: `${number}@example.com` }), aCall());
    for (const number of range(10_000)) await join(number);
    const whole = await show();
    expect([whole.pastDue, whole.signUps]).to.deep.equal([
      { count: 1, isMinimum: false, firstEnd: later(2 * hour) },
      none.with(13, 10_000),
    ]);
    await store().allEntitlements.add(granted([aSubscription({ ...active, id: 'aaa' })]), aCall());
    await join(10_000);
    const { pastDue: due, signUps } = await show();
    expect([due, signUps]).to.deep.equal([{ count: 0, isMinimum: true, firstEnd: null }, null]);
  });
});
