import { expect } from 'chai';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import { showOverview, type Overview } from '../../../core/overview/show-overview.ts';
import {
  aCall,
  aChangeRecord,
  anEvent,
  aSignUp,
  aSubscription,
  day,
  hour,
  later,
  noon,
} from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const deviceTypes = ['device.activated', 'device.released'] as const;

/** An entitlement that is past due for so many hours more. */
function pastDue(id: string, hours: number): Subscription {
  return aSubscription({ id, currentPeriodEnd: later(-hour), graceUntil: later(hours * hour) });
}

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
    await add('whk_parked', {}, { pending: parked });
    await add('whk_requested', { state: 'disabled', reason: 'requested' }, { pending: parked });
    const { endpoints } = await show();
    const facts = endpoints.map(({ endpoint, failing, parked: count }) => [endpoint.id, failing?.since ?? null, count]);
    expect(facts).to.deep.equal([
      ['whk_failing', later(-hour), 0],
      ['whk_gone', null, 0],
      ['whk_parked', null, 1],
    ]);
  });
});
