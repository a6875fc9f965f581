import { expect } from 'chai';
import { faultyClients } from '../support/client/faulty-clients.ts';
import type { Fault } from '../support/client/faulty-proxy.ts';
import { licenseKeys } from '../support/http/fixtures.ts';
import { populatedServices } from '../support/http/service-hooks.ts';
import '../support/stores/stores.ts';

const limited = {
  status: 429,
  headers: { 'Retry-After': '0' },
  body: '{"success":false,"error":"Too many requests."}',
};
const failed = { status: 500, body: '{"success":false,"error":"The server failed."}' };

const troubles: Readonly<Record<string, readonly Fault[]>> = {
  'a connection that is cut before the answer': ['cut before'],
  'a connection that is cut after the change': ['cut after'],
  'half a body': ['half a body'],
  '429 with Retry-After': [limited],
  500: [failed],
  'three of them': ['cut after', failed, 'half a body'],
};

describe('the client, through a network that fails', () => {
  const started = populatedServices();
  const clients = faultyClients();

  for (const [name, faults] of Object.entries(troubles)) {
    it(`has one effect for each intention after ${name}`, async () => {
      const service = await started();
      const { client, proxy } = await clients(faults, service.url);
      const canceled = await client.entitlements.cancel('ent_1');
      expect([canceled.cancelAtPeriodEnd, canceled.version]).to.deep.equal([true, 2]);
      expect(await client.entitlements.get('ent_1')).to.deep.equal(canceled);
      const tries = proxy.seen.filter(({ line }) => line.startsWith('POST'));
      expect(tries).to.have.length(faults.length + 1);
      expect(new Set(tries.map(({ headers }) => headers['idempotency-key'])).size).to.equal(1);
    });
  }

  it('verifies and joins in spite of them', async () => {
    const service = await started();
    const { client } = await clients(['cut after', 'half a body'], service.url);
    expect(await client.licenses.verify(licenseKeys.active)).to.include({ verdict: 'valid' });
    const joining = await clients(['cut after', failed, limited], service.url);
    await joining.client.waitlist.join({ email: 'ada@example.com' });
    expect(joining.proxy.seen.map(({ body }) => body)).to.deep.equal(
      Array.from({ length: 4 }, () => '{"email":"ada@example.com"}'),
    );
  });
});
