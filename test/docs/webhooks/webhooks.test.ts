import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { eventually } from '../../support/eventually.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { DocumentReceiver, languages } from './document-receiver.ts';

function granted(id: string): readonly string[] {
  return ['entitlement.granted', id, 'active'];
}

describe('docs/webhooks.md', () => {
  it('has receivers of at most thirty lines', async () => {
    const document = await readMarkdown('docs/webhooks.md');
    for (const { block } of Object.values(languages)) {
      const blocks = document.codeBlocks(block);
      expect(blocks).to.have.length(1);
      const lines = blocks[0]?.split('\n').filter((line) => line.trim() !== '') ?? [];
      expect(lines.length).to.be.at.most(30);
    }
  });
});

for (const [language, how] of Object.entries(languages)) {
  if (language === 'python' && isLeftOut('python')) continue;
  describe(`the receiver of docs/webhooks.md (${language})`, () => {
    const store = freshStore(memory.open);
    let deliveries: TestDeliveries;
    let receiver: DocumentReceiver;
    let secret: string;

    beforeEach(async () => {
      deliveries = new TestDeliveries(store(), new MovedClock(0), 5);
      receiver = await DocumentReceiver.extract(how);
      await deliveries.addProduct();
      const added = await deliveries.addWebhook(receiver.url);
      secret = added.secret ?? '';
      deliveries.start();
    });
    afterEach(async () => {
      await deliveries.stop();
      await receiver.remove();
    });

    const applied = (count: number): Promise<readonly unknown[]> =>
      eventually(
        () => receiver.applied(),
        (all) => all.length >= count,
      );

    it('applies each event once, in order, and accepts the test message', async () => {
      await receiver.start(secret);
      await deliveries.grant('a');
      await deliveries.change('a', 2);
      const expected = [
        ['entitlement.granted', 'a', 'active'],
        ['entitlement.suspended', 'a', 'suspended'],
        ['entitlement.reinstated', 'a', 'active'],
      ];
      expect(await applied(3)).to.deep.equal(expected);
      const tested = await deliveries.administration.testWebhook('whk_1', deliveries.call());
      expect(tested).to.deep.equal({ kind: 'delivered', answer: 'status 204', status: 204 });
      const replay = { id: 'whk_1', productId: 'prod_1', from: '0-' };
      await deliveries.administration.replayWebhook(replay, deliveries.call());
      await deliveries.change('a');
      expect(await applied(4)).to.deep.equal([...expected, ['entitlement.suspended', 'a', 'suspended']]);
    });

    it('refuses a delivery with another secret, and applies it after it was given the right one', async () => {
      await receiver.start(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
      const tested = await deliveries.administration.testWebhook('whk_1', deliveries.call());
      expect(tested).to.deep.equal({ kind: 'failed', answer: 'status 400', status: 400, retryAfter: null });
      await deliveries.grant('a');
      await eventually(
        () => deliveries.stream(),
        (stream) => stream !== null && stream.failingSince !== null,
      );
      expect(await receiver.applied()).to.deep.equal([]);
      await receiver.stop();
      await receiver.start(secret);
      await deliveries.administration.retryWebhook('whk_1', deliveries.call());
      expect(await applied(1)).to.deep.equal([['entitlement.granted', 'a', 'active']]);
    });

    it('refuses what is malformed, and goes on', async () => {
      await receiver.start(secret);
      const now = String(Math.floor(Date.now() / 1000));
      const good = { 'webhook-id': 'evt_1', 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA' };
      const malformed: readonly Readonly<Record<string, string>>[] = [
        {},
        good,
        { ...good, 'webhook-timestamp': 'now' },
        { ...good, 'webhook-timestamp': `${now}.5` },
        { ...good, 'webhook-timestamp': '0' },
        { ...good, 'webhook-timestamp': '1'.repeat(5000) },
        { ...good, 'webhook-id': 'é', 'webhook-signature': 'é v1,é' },
      ];
      for (const headers of malformed) {
        const { status } = await fetch(receiver.url, { method: 'POST', headers, body: '{}' });
        expect(status, JSON.stringify(headers)).to.equal(400);
      }
      await deliveries.grant('a');
      expect(await applied(1)).to.deep.equal([granted('a')]);
    });

    it('gets an event again that it could not apply', async () => {
      await receiver.start(secret, { FAILS: 'a' });
      await deliveries.grant('a', 'b');
      expect(await applied(1)).to.deep.equal([granted('b')]);
      await receiver.stop();
      await receiver.start(secret);
      // An attempt that came while the receiver was down is repeated in five minutes only.
      await deliveries.administration.retryWebhook('whk_1', deliveries.call());
      // Stopped before it answered for b, it gets that one again too.
      const all = await eventually(
        () => receiver.applied(),
        (lines) => lines.some((line) => isDeepStrictEqual(line, granted('a'))),
      );
      expect(all).to.deep.include(granted('a'));
    });
  });
}
