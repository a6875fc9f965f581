import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import { aCall, noon } from '../../support/builders.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

type Command = (administration: Administration, call: Call) => Promise<unknown>;

const commands: Readonly<Record<string, Command>> = {
  addWebhook: ({ addWebhook }, call) =>
    addWebhook({ id: 'whk_2', url: anEndpoint().url, productId: null, types: null }, call),
  listWebhooks: ({ listWebhooks }, call) => listWebhooks({ after: null, limit: 1 }, call),
  showWebhook: ({ showWebhook }, call) => showWebhook('whk_1', call),
  rotateWebhookSecret: ({ rotateWebhookSecret }, call) =>
    rotateWebhookSecret({ id: 'whk_1', overlap: 1, revision: null }, call),
  disableWebhook: ({ disableWebhook }, call) => disableWebhook('whk_1', 'requested', call),
  retryWebhook: ({ retryWebhook }, call) => retryWebhook('whk_1', call),
  skipWebhookEvents: ({ skipWebhookEvents }, call) =>
    skipWebhookEvents({ id: 'whk_1', productId: 'prod_1', to: '0-', entitlementId: null }, call),
  replayWebhook: ({ replayWebhook }, call) => replayWebhook({ id: 'whk_1', productId: 'prod_1', from: '0-' }, call),
};

describe('the deadline of a command for webhooks', () => {
  const store = freshStore(memory.open);

  for (const [name, command] of Object.entries(commands)) {
    it(`holds for every read and write of ${name}`, async () => {
      const { deliveryStreams, events, products, webhookEndpoints } = store();
      await products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      await webhookEndpoints.add(anEndpoint(), aCall());
      await deliveryStreams.add([aStream({ failingSince: noon, cursor: 1 })], aCall());
      const calls = new Set<unknown>();
      const record = (_method: unknown, parameters: readonly unknown[]): unknown => calls.add(parameters.find(isCall));
      const ports = {
        ...store(),
        deliveryStreams: interposed(deliveryStreams, record),
        events: interposed(events, record),
        products: interposed(products, record),
        webhookEndpoints: interposed(webhookEndpoints, record),
      };
      const call = aCall();
      await command(administrationOf(ports, nodePlatform), call);
      expect([...calls]).to.deep.equal([call]);
      expect(calls.has(call)).to.equal(true);
    });
  }
});

function isCall(parameter: unknown): boolean {
  return typeof parameter === 'object' && parameter !== null && 'deadline' in parameter;
}
