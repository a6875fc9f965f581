import { expect } from 'chai';
import { aGrant, hour } from '../../support/builders.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { cancel, OutShop, resume } from '../../support/stripe/out-shop.ts';

const minute = 60_000;
const scheduled = { atPeriodEnd: true, isAt: true };

/** So fast that a second between two writes of a stream is not waited for. */
const speed = 20;

describe('what waits to go to Stripe in a store that was served long ago', () => {
  let out: OutShop;
  let id: string;
  const store = freshShop(OutShop, (opened) => (out = opened));
  beforeEach(async () => {
    id = await out.at.subscribe();
    await out.start(speed);
    await out.settle();
  });

  /** Serves the store again after `milliseconds`, as a restored backup is. */
  async function serveAfter(milliseconds: number): Promise<void> {
    await store().clockMarks.raise(out.at.now, out.at.call());
    out.wait(milliseconds);
    await out.watchClock();
    await out.start(speed);
  }

  const errors = (): readonly object[] => out.logged.filter(({ level }) => level === 'error');

  it('is parked and not sent; stripe reconcile shows it, and sends it with --fix', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await serveAfter(2 * hour);
    const younger = await out.at.subscribe();
    await out.ask(younger, 'cancel');
    await out.operations(younger, ['granted', cancel]);
    while (out.updates.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(out.updates.map(({ path }) => path)).to.deep.equal([`/v1/subscriptions/${younger}`]);
    expect(await out.isParked(id)).to.equal(true);
    expect(errors()).to.have.length(1);
    expect(errors()[0]).to.include({ subscriptions: 1 }).and.have.property('message').that.includes('--fix');
    const { differences } = await out.reconcile(false);
    expect(differences).to.deep.equal([{ id, kind: 'not_sent' }]);
    expect(await out.reconcile()).to.deep.equal({ compared: 2, fixed: 1, differences: [] });
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    await out.settle();
  });

  it('is parked although it was to be tried again later', async () => {
    out.at.shop.expireKey();
    await out.ask(id, 'cancel');
    await out.fails(id, 1);
    await out.stop();
    out.at.shop.restoreKey();
    const sent = out.updates.length;
    await serveAfter(2 * hour);
    expect([await out.isParked(id), out.updates.length]).to.deep.equal([true, sent]);
  });

  it('is parked however soon the store is served again, if it is a restored backup, and once', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await store().clockMarks.raise(out.at.now, out.at.call());
    out.wait(minute);
    await store().clockMarks.noteRestore(out.at.now, out.at.call());
    out.wait(minute);
    const younger = await out.at.subscribe();
    await out.ask(younger, 'cancel');
    await out.watchClock();
    await out.start(speed);
    await out.operations(younger, ['granted', cancel]);
    while (out.updates.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(out.updates.map(({ path }) => path)).to.deep.equal([`/v1/subscriptions/${younger}`]);
    expect([await out.isParked(id), errors().length]).to.deep.equal([true, 1]);
    expect((await out.reconcile(false)).differences).to.deep.equal([{ id, kind: 'not_sent' }]);
    await out.stop();
    const youngest = await out.at.subscribe();
    await out.ask(youngest, 'cancel');
    await out.watchClock();
    await out.start(speed);
    while (out.updates.length === 1) await new Promise((resolve) => setTimeout(resolve, 5));
    expect([await out.isParked(id), out.updates.length, errors().length]).to.deep.equal([true, 2, 1]);
  });

  it('is parked if it was asked for before the store was served, although the clock of the restore was behind', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await store().clockMarks.raise(out.at.now, out.at.call());
    await store().clockMarks.noteRestore(new Date(out.at.now.getTime() - 2 * hour), out.at.call());
    out.wait(minute);
    await out.at.administration.acceptClock(out.at.call());
    expect([await out.isParked(id), await store().clockMarks.restoredAt(out.at.call())]).to.deep.equal([true, null]);
  });

  it('is sent as it is then, if it is changed after the start', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await serveAfter(2 * hour);
    expect(await out.isParked(id)).to.equal(true);
    await out.ask(id, 'revoke');
    await out.settle();
    expect(out.at.shop.object(id)).to.include({ status: 'canceled' });
  });

  it('leaves the stream with stripe reconcile --fix, although both sides say the same', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await serveAfter(2 * hour);
    await out.at.shop.cancelAtPeriodEnd(id);
    expect(await out.reconcile(false)).to.deep.equal({ compared: 1, fixed: 0, differences: [] });
    expect(await out.isParked(id)).to.equal(true);
    expect(await out.reconcile()).to.deep.equal({ compared: 1, fixed: 0, differences: [] });
    await out.settle();
    expect(out.updates).to.deep.equal([]);
  });

  it('is sent after less than an hour', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await serveAfter(hour);
    await out.settle();
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
  });

  it('is sent as it is now, if it was changed since then', async () => {
    await out.at.shop.cancelAtPeriodEnd(id);
    await out.lookAt(id);
    await out.stop();
    await out.ask(id, 'resume');
    await store().clockMarks.raise(out.at.now, out.at.call());
    out.wait(2 * hour);
    await out.ask(id, 'cancel');
    await out.watchClock();
    await out.start(speed);
    await out.settle();
    const operations = ['granted', 'cancellation_scheduled', resume, cancel];
    expect(await out.at.operations(id)).to.deep.equal(operations);
    expect([out.cancellationOf(id), errors()]).to.deep.equal([scheduled, []]);
  });

  it('is parked for subscriptions at Stripe only, and before an operator accepts the clock', async () => {
    await out.stop();
    const grant = aGrant({ productId: 'sketchpad' });
    await out.at.administration.grantEntitlement({ grant, id: 'ent_1', licenseKey: null }, out.at.call());
    await out.ask('ent_1', 'cancel');
    await out.ask(id, 'cancel');
    await store().clockMarks.raise(out.at.now, out.at.call());
    out.wait(2 * hour);
    await out.at.administration.acceptClock(out.at.call());
    const { pending } = (await out.stream()) ?? {};
    expect(pending?.get(id)).to.have.property('at', null);
    expect(pending?.has('ent_1')).to.equal(false);
    await out.watchClock();
    out.wait(minute);
    await out.start(speed);
    expect(errors()).to.deep.equal([]);
  });
});
