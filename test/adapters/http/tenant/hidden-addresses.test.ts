import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { scopesOfLimited } from '../../../../core/key/operator/operator-key.ts';
import { aCall } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { AdminClient, dataOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { addMerchant, limitedCall, mine } from '../../../support/tenant/two-merchants.ts';
import { ConsoleClient } from '../../../support/web/console-client.ts';
import { loopback, MovedClock, TestDeliveries } from '../../../support/webhooks/deliveries.ts';

const limitedKey = 'svc_op_live_limited-to-mine';

/** A name that nobody can have (RFC 2606 §2), names and addresses that exist here, and others of private networks. */
const urls = {
  unknown: 'https://no-such-host.invalid/',
  local: 'https://localhost:1/',
  http: 'http://localhost:1/',
  loopback: 'https://127.0.0.1:1/',
  private: 'https://10.0.0.1/',
  metadata: 'https://169.254.169.254/latest/meta-data/',
} as const;

const hidden = 'an address that is unknown or not allowed';

describe('an endpoint of a limited key', () => {
  const service = freshService(memory, { adminPort: 0, webhookAllowNetworks: loopback });
  const store = freshStore(memory.open);

  it('is not told unknown names from addresses that are not allowed by a test', async () => {
    await addMerchant(portsIn(service().container), mine);
    await service().addOperatorKey(operatorKeys.full, { id: 'opk-owner' });
    await service().addOperatorKey(limitedKey, { id: 'opk-limited', products: ['mine'], scopes: scopesOfLimited });
    const answersTo = async (key: string, owner: string): Promise<Readonly<Record<string, unknown>>> => {
      const answers: Record<string, unknown> = {};
      for (const [name, url] of Object.entries(urls)) {
        const [admin, id] = [new AdminClient(service()), `${owner}-${name}`];
        await admin.send('POST', '/admin/webhooks', { key, body: { id, url, productId: 'mine' } });
        const { answer } = dataOf(await admin.send('POST', `/admin/webhooks/${id}/test`, { key })) as {
          answer: string;
        };
        answers[name] = answer.replace('EAI_AGAIN', 'ENOTFOUND');
      }
      return answers;
    };
    const same = Object.fromEntries(Object.keys(urls).map((name) => [name, hidden]));
    expect(await answersTo(limitedKey, 'merchant')).to.deep.equal(same);
    expect(await answersTo(operatorKeys.full, 'owner')).to.deep.equal({
      unknown: 'no connection (ENOTFOUND)',
      local: 'no connection (ECONNREFUSED)',
      http: 'no connection (ECONNREFUSED)',
      loopback: 'no connection (ECONNREFUSED)',
      private: 'an address that is not allowed',
      metadata: 'an address that is not allowed',
    });
    const merchant = new ConsoleClient(service());
    await merchant.signIn(limitedKey);
    for (const name of ['unknown', 'local']) {
      const { text } = await merchant.submit(`/console/webhooks/merchant-${name}/test`);
      expect([text.includes(hidden), /ENOTFOUND|EAI_AGAIN/.test(text)], name).to.deep.equal([true, false]);
    }
  });

  it('is not told them by the attempts of its deliveries', async () => {
    const deliveries = new TestDeliveries(store(), new MovedClock());
    try {
      await deliveries.addProduct('mine');
      const { addWebhook, showWebhook } = deliveries.administration;
      const call = limitedCall({ now: deliveries.clock.now() });
      for (const [id, url] of Object.entries(urls)) await addWebhook({ id, url, productId: 'mine', types: null }, call);
      deliveries.start();
      await deliveries.grantOf('mine', 'ent');
      for (const id of Object.keys(urls)) {
        const reasons = await eventually(
          async () => {
            const { streams } = await showWebhook(id, aCall());
            return streams.flatMap(({ attempts }) => attempts.map(({ reason }) => reason));
          },
          (found) => found.length > 0,
        );
        expect(new Set(reasons), id).to.deep.equal(new Set([hidden]));
      }
    } finally {
      await deliveries.stop();
    }
  });
});
