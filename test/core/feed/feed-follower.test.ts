import { expect } from 'chai';
import { aLatch } from '../../support/latch.ts';
import { Following } from '../../support/stores/following.ts';

describe('a follower of the feed', () => {
  it('ends a wait once there is an event behind its position, and only that', async () => {
    const following = new Following();
    following.last.set('prod_1', 3).set('prod_2', 5);
    const waits = [following.hold('prod_1', 3, 5000), following.hold('prod_2', 5, 5000)];
    await following.move(1000);
    expect(waits.map(({ found }) => found)).to.deep.equal(['waiting', 'waiting']);
    following.last.set('prod_1', 4);
    await following.move(100);
    expect(waits.map(({ found }) => found)).to.deep.equal([true, 'waiting']);
  });

  it('ends a wait when its time is over', async () => {
    const following = new Following();
    following.last.set('prod_1', 3);
    const waits = [following.hold('prod_1', 3, 1000), following.hold('prod_1', 3, 2000)];
    await following.move(999);
    expect(waits.map(({ found }) => found)).to.deep.equal(['waiting', 'waiting']);
    await following.move(101);
    expect(waits.map(({ found }) => found)).to.deep.equal([false, 'waiting']);
    await following.move(1000);
    expect(waits.map(({ found }) => found)).to.deep.equal([false, false]);
  });

  it('reads once for each product, however many wait, and not at all while nobody does', async () => {
    const following = new Following(100);
    following.last.set('prod_1', 1).set('prod_2', 1);
    const waits = ['prod_1', 'prod_2', 'prod_1', 'prod_1'].map((product) => following.hold(product, 1, 60_000));
    expect(following.timers).to.equal(1);
    await following.move(300);
    expect(following.reads.toSorted()).to.deep.equal(['prod_1', 'prod_1', 'prod_1', 'prod_2', 'prod_2', 'prod_2']);
    for (const { held } of waits) held?.end();
    await following.move(1000);
    expect(waits.map(({ found }) => found)).to.deep.equal([false, false, false, false]);
    expect([following.reads.length, following.timers]).to.deep.equal([6, 0]);
    following.hold('prod_1', 0, 60_000);
    await following.move(100);
    expect(following.reads).to.have.length(7);
  });

  it('reads no more while a read takes long, and goes on after it', async () => {
    const following = new Following();
    const slow = aLatch();
    following.last.set('prod_1', 1);
    following.gate = slow.released;
    following.hold('prod_1', 1, 60_000);
    await following.move(500);
    expect(following.reads).to.have.length(1);
    slow.release();
    await new Promise(setImmediate);
    await following.move(200);
    expect(following.reads).to.have.length(3);
  });

  it('refuses a wait beyond the maximum, until another has ended', async () => {
    const following = new Following(2);
    following.last.set('prod_1', 0);
    const [first, , third] = [1, 2, 3].map(() => following.hold('prod_1', 0, 60_000));
    expect(third?.found).to.equal('refused');
    first?.held?.end();
    expect(following.hold('prod_1', 0, 60_000).found).to.equal('waiting');
  });

  it('refuses a wait for a product that has its share, and none for others', async () => {
    const following = new Following(4, 2);
    for (const productId of ['prod_1', 'prod_2']) following.last.set(productId, 0);
    const hold = (productId: string): ReturnType<Following['hold']> => following.hold(productId, 0, 60_000);
    const [first, ...rest] = ['prod_1', 'prod_1', 'prod_1', 'prod_2'].map(hold);
    expect(rest.map(({ found }) => found)).to.deep.equal(['waiting', 'refused', 'waiting']);
    first?.held?.end();
    first?.held?.end();
    expect(['prod_1', 'prod_1', 'prod_2', 'prod_2'].map((id) => hold(id).found)).to.deep.equal([
      'waiting',
      'refused',
      'waiting',
      'refused',
    ]);
  });

  it('ends the waits for a product that cannot be read', async () => {
    const following = new Following();
    following.last.set('prod_1', 0);
    const waits = [following.hold('prod_2', 0, 60_000), following.hold('prod_1', 0, 60_000)];
    await following.move(100);
    expect(waits.map(({ found }) => found)).to.deep.equal([true, 'waiting']);
  });
});
