import { expect } from 'chai';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { grant, licenseKey, path } from '../../../support/http/granted-entitlement.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

describe('changing an entitlement over HTTP', () => {
  const admin = freshAdmin(memory);

  beforeEach(async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await admin().put(path, { ...grant, licenseKey });
  });

  it('replaces a license key, with a given one safely to repeat', async () => {
    const rotate = (body?: object): Promise<Reply> => admin().post(`${path}/license/rotate`, body);
    const generated = dataOf(await rotate()) as { readonly licenseKey: string };
    expect((await admin().service.verify({ licenseKey })).body).to.deep.equal({ valid: false });
    expect((await admin().service.verify(generated)).body).to.include({ valid: true });
    const own = { licenseKey: 'another-license-key-of-my-own' };
    admin().service.logged.length = 0;
    const replies = [await rotate(own), await rotate(own)];
    expect(replies.map((reply) => [reply.status, dataOf(reply)])).to.deep.equal(replies.map(() => [200, own]));
    expect(admin().changes).to.have.length(1);
    expect((await admin().service.verify(own)).body).to.include({ valid: true });
  });
});
