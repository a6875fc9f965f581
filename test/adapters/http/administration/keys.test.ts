import { expect } from 'chai';
import { hour, later } from '../../../support/builders.ts';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { bearer } from '../../../support/http/requests.ts';
import { memory } from '../../../support/stores/stores.ts';

const kinds = [
  ['app keys', '/admin/products/prod_1/app-keys', '/admin/app-keys', {}],
  ['operator keys', '/admin/operators', '/admin/operators', { name: 'Support' }],
] as const;

const keyOf = (reply: Reply): string => String((dataOf(reply) as { readonly key: unknown }).key);

for (const [name, path, keys, body] of kinds) {
  describe(`the ${name} that the administration issues`, () => {
    const admin = freshAdmin(memory);
    beforeEach(() => admin().put('/admin/products/prod_1', { name: 'Sketchpad' }));

    const use = async (key: string): Promise<number> => {
      if (name === 'operator keys') return (await admin().send('POST', '/admin/listings/none/pause', { key })).status;
      return (await admin().service.send('/api/app-entitlements/none', { headers: [bearer(key)] })).status;
    };

    it('work until they are revoked, both of a rotation during the overlap', async () => {
      const issued = await admin().post(path, { ...body, id: 'old' });
      const rotated = await admin().post(`${keys}/old/rotate`, { newId: 'new', overlap: '2h' });
      expect([issued.status, rotated.status]).to.deep.equal([201, 201]);
      expect((await admin().post(`${keys}/old/rotate`, { newId: 'new', overlap: '2h' })).status).to.equal(200);
      const [old, next] = [keyOf(issued), keyOf(rotated)];
      expect([await use(old), await use(next)]).to.deep.equal([404, 404]);
      admin().service.now = later(2 * hour);
      expect([await use(old), await use(next)]).to.deep.equal([401, 404]);
      await admin().post(`${keys}/new/revoke`);
      expect(await use(next)).to.equal(401);
      const listed = JSON.stringify(await admin().get(path));
      for (const secret of ['digest', old, next]) expect(listed).not.to.include(secret);
    });
  });
}
