import { expect } from 'chai';
import { ConflictError, ConnectionError, NotFoundError, ServiceError } from '../../../client/index.ts';
import { faultyClients } from '../../support/client/faulty-clients.ts';
import { licenseKey, ReceiptSigner } from '../../support/client/receipt-signer.ts';
import { thrownBy } from '../../support/thrown.ts';

const data = {
  receipt: new ReceiptSigner().receipt(),
  issuedAt: '2026-07-18T12:00:00.000Z',
  refreshAfter: '2026-07-25T12:00:00.000Z',
  expiresAt: '2026-08-01T12:00:00.000Z',
};

function refusal(status: number, code: string) {
  return { status, headers: { 'Error-Code': code }, body: '{"success":false,"error":"No."}' };
}

describe('licenses.receipt', () => {
  const clients = faultyClients();

  it('returns the receipt with its times, and sends no app key', async () => {
    const { client, proxy } = await clients([{ status: 200, body: JSON.stringify({ success: true, data }) }]);
    expect(await client.licenses.receipt(licenseKey, { productId: 'prod_1' })).to.deep.equal(data);
    const [{ line, body, headers } = { line: '', body: '', headers: {} }] = proxy.seen;
    expect(line).to.equal('POST /api/licenses/receipt');
    expect(JSON.parse(body)).to.deep.equal({ licenseKey, productId: 'prod_1' });
    expect(headers).to.include({ 'content-type': 'application/json' }).and.not.to.have.property('authorization');
  });

  it('throws what the service refuses', async () => {
    const refusals = [refusal(404, 'license_not_found'), refusal(409, 'no_access')];
    const { client } = await clients(refusals);
    const ask = () => thrownBy(client.licenses.receipt(licenseKey, { productId: 'prod_1' }));
    expect(await ask())
      .to.be.instanceOf(NotFoundError)
      .and.to.include({ code: 'license_not_found' });
    expect(await ask())
      .to.be.instanceOf(ConflictError)
      .and.to.include({ code: 'no_access' });
  });

  it('has the limits of every call', async () => {
    const failed = { status: 500, body: '{}' };
    const { client, proxy } = await clients([
      failed,
      { status: 200, body: JSON.stringify({ success: true, data }) },
      failed,
    ]);
    expect(await client.licenses.receipt(licenseKey, { productId: 'prod_1' })).to.deep.equal(data);
    const once = { productId: 'prod_1', retries: 0 };
    expect(await thrownBy(client.licenses.receipt(licenseKey, once))).to.be.instanceOf(ServiceError);
    expect(proxy.seen).to.have.length(3);
  });

  it('takes nothing else for a receipt', async () => {
    const answers = ['<!doctype html>', '{"success":true}', '{"success":true,"data":null}', '{"valid":true}'];
    const { client } = await clients(answers.map((body) => ({ status: 200, body })));
    for (const _ of answers) {
      const error = await thrownBy(client.licenses.receipt(licenseKey, { productId: 'prod_1', retries: 0 }));
      expect(error).to.be.instanceOf(ConnectionError);
    }
  });
});
