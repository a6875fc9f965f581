import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { holderName, Holders } from '../../../adapters/delivery/holders.ts';
import { eventually } from '../../support/eventually.ts';
import { outputs } from '../../support/run/output-search.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';

const program = `
  const { holderName } = await import('${resolve('adapters/delivery/holders.ts')}');
  process.stdout.write(holderName('other'));
  setInterval(() => {}, 1000);`;

/** Another process, and its name. */
async function startOther(): Promise<{ readonly child: ChildProcess; readonly name: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  outputs.watch(child, ['holder']);
  const [name] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, name: String(name) };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Only Linux says what runs. */
const onLinux = process.platform === 'linux' ? describe : () => {};

onLinux('the processes that hold streams', () => {
  let now = 0;
  const holders = (): Holders => new Holders(() => now);

  it('count as dead once they have ended, and not before', async () => {
    const { child, name } = await startOther();
    const seen = holders();
    expect(seen.isDead(name)).to.equal(false);
    await kill(child);
    now += 500;
    expect([seen.isDead(name), holders().isDead(name)]).to.deep.equal([true, true]);
  });

  it('never count as dead if that is not certain', () => {
    const [id, boot, namespace, pid, start] = holderName('this').split(' ');
    const names = [
      [id],
      [id, boot, namespace, pid, start],
      [id, 'another-boot', namespace, '1', '0'],
      [id, boot, 'pid:[1]', '1', '0'],
      ['2f1c6d0e-7c9b-4f7e-8a56-0d6f3f1f6a11'],
    ];
    expect(names.map((parts) => holders().isDead(parts.join(' ')))).to.deep.equal(names.map(() => false));
  });

  it('count as alive while the sandbox of a service hides them', () => {
    const [id, boot, namespace] = holderName('this').split(' ');
    // Nobody knows when it started: no such process is in /proc for an id of zero, but signals reach one.
    expect(holders().isDead([id, boot, namespace, '0', '1'].join(' '))).to.equal(false);
  });

  it('count as dead if another process has their number', () => {
    const [id, boot, namespace, pid] = holderName('this').split(' ');
    expect(holders().isDead([id, boot, namespace, pid, '1'].join(' '))).to.equal(true);
  });
});

onLinux('a stream of a process that was killed', () => {
  const store = freshStore(memory.open);

  it('is taken over at once, and that of one that lives is not', async () => {
    const [dead, alive] = [await startOther(), await startOther()];
    const receiver = await Receiver.start();
    // Its monotonic clock stands still, so that no lease ever ends.
    const deliveries = new TestDeliveries(store(), new MovedClock(0), 0);
    for (const productId of ['prod_1', 'prod_2']) await deliveries.addProduct(productId);
    const { secret } = await deliveries.addWebhook(receiver.url, { productId: null });
    receiver.secrets = [secret ?? ''];
    for (const [productId, holder] of [
      ['prod_1', alive.name],
      ['prod_2', dead.name],
    ] as const) {
      const stream = await deliveries.stream('whk_1', productId);
      if (stream === null) throw new Error('each product has a stream');
      await store().deliveryStreams.replace({ ...stream, holder, fence: stream.fence + 1 }, deliveries.call());
      await deliveries.grantOf(productId, `of-${productId}`);
    }
    await kill(dead.child);
    deliveries.start();
    const received = await eventually(
      async () => receiver.accepted.map(({ entitlementId }) => entitlementId),
      ({ length }) => length > 0,
    );
    expect(received).to.deep.equal(['of-prod_2']);
    await deliveries.stop();
    await kill(alive.child);
    await receiver.close();
  });
});
