import { expect } from 'chai';
import { eventually } from '../../../support/eventually.ts';
import { AdminClient, dataOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { freshService, startService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';
import { loopback } from '../../../support/webhooks/deliveries.ts';
import { answerWith, Receiver } from '../../../support/webhooks/receiver.ts';

const path = '/admin/webhooks';
const by = { by: 'operator:opk_1', correlationId: requestId };

function secretOf(reply: Reply): unknown {
  return (dataOf(reply) as { readonly secret?: unknown }).secret;
}

describe('a test of a webhook endpoint over HTTP', () => {
  const service = freshService(memory, { adminPort: 0, webhookAllowNetworks: loopback });
  let receiver: Receiver;

  beforeEach(async () => {
    await service().addOperatorKey(operatorKeys.full);
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await receiver.close();
    expect(receiver.forged).to.deep.equal([]);
  });

  it('says that there was no answer in time if the receiver is slower than the deadline', async () => {
    const slow = await startService(memory, { adminPort: 0, webhookAllowNetworks: loopback, storeDeadline: 4000 });
    try {
      await slow.addOperatorKey(operatorKeys.full);
      const admin = new AdminClient(slow);
      receiver.secrets = [String(secretOf(await admin.post(path, { id: 'whk_1', url: receiver.url })))];
      receiver.answer = () => {};
      // On a slow machine the quarter second that is kept for the answer may not be enough, and the request is refused.
      const tested = await eventually(
        async () => {
          slow.logged.length = 0;
          return dataOf(await admin.post(`${path}/whk_1/test`));
        },
        (data) => data !== undefined,
      );
      expect(tested).to.deep.equal({ delivered: false, answer: 'no answer in time' });
      expect(slow.faults).to.deep.equal([]);
    } finally {
      await slow.stop();
    }
  });

  it('says whether the message arrived, whatever the state of the endpoint', async () => {
    const admin = new AdminClient(service());
    const added = await admin.post(path, { id: 'whk_1', url: receiver.url });
    receiver.secrets = [String(secretOf(added))];
    const tested = async (): Promise<unknown> => dataOf(await admin.post(`${path}/whk_1/test`));
    expect(await tested()).to.deep.equal({ delivered: true, answer: 'status 204' });
    await admin.post(`${path}/whk_1/disable`);
    receiver.answer = answerWith(410);
    expect(await tested()).to.deep.equal({ delivered: false, answer: 'status 410' });
    expect(receiver.received.map(({ type, data }) => [type, data])).to.deep.equal([
      ['webhook.test', {}],
      ['webhook.test', {}],
    ]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).to.equal(2);
    const test = { command: 'webhook test', webhookId: 'whk_1', ...by };
    expect(admin.changes.filter((change) => JSON.stringify(change).includes('webhook test'))).to.deep.equal([
      test,
      test,
    ]);
  });
});
