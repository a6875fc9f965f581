import { expect } from 'chai';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import { day, noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin, type AdminClient } from '../../../support/http/admin-client.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { bearer } from '../../../support/http/requests.ts';
import { memory } from '../../../support/stores/stores.ts';

interface Kind {
  readonly name: string;
  readonly path: string;
  /** Where one key is changed. */
  readonly keys: string;
  /** The members of every issued key that are not of its owner. */
  readonly body: object;
  readonly owner: object;
  readonly allScopes: readonly string[];
  readonly oneScope: string;
  readonly log: (command: string, id: string) => object;
  /** The status of a request with the key. */
  readonly use: (admin: AdminClient, key: string) => Promise<number>;
}

const by = { by: 'operator:opk_1', correlationId: requestId };

const kinds: readonly Kind[] = [
  {
    name: 'app keys',
    path: '/admin/products/prod_1/app-keys',
    keys: '/admin/app-keys',
    body: {},
    owner: { productId: 'prod_1' },
    allScopes: scopes,
    oneScope: 'read:entitlements',
    log: (command, id) => ({ command: `key ${command}`, appKeyId: id, ...by }),
    use: async ({ service }, key) =>
      (await service.send('/api/app-entitlements/none', { headers: [bearer(key)] })).status,
  },
  {
    name: 'operator keys',
    path: '/admin/operators',
    keys: '/admin/operators',
    body: { name: 'Support' },
    owner: { name: 'Support', products: null },
    allScopes: operatorScopes,
    oneScope: 'admin:read',
    log: (command, id) => ({ command: `operator ${command}`, operatorKeyId: id, ...by }),
    use: async (admin, key) => (await admin.send('POST', '/admin/listings/none/pause', { key })).status,
  },
];

interface Issued {
  readonly id: string;
  readonly key: string | null;
}

const issuedBy = (reply: Reply): Issued => dataOf(reply) as Issued;

for (const { name, path, keys, body, owner, allScopes, oneScope, log, use } of kinds) {
  describe(`the ${name} of the administration`, () => {
    const admin = freshAdmin(memory);

    beforeEach(async () => {
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      admin().service.logged.length = 0;
    });

    it('are issued, work, and are shown once', async () => {
      const reply = await admin().post(path, { ...body, id: 'mine', expiresAt: '2026-08-01T02:00:00+02:00' });
      const { key } = issuedBy(reply);
      const stored = {
        id: 'mine',
        ...owner,
        lastFour: key?.slice(-4),
        scopes: allScopes,
        createdAt: noon.toISOString(),
        expiresAt: '2026-08-01T00:00:00.000Z',
        revokedAt: null,
        lastUsedAt: null,
      };
      expect([reply.status, dataOf(reply)]).to.deep.equal([201, { ...stored, key }]);
      expect(await use(admin(), key ?? '')).to.equal(404);
      const repeated = await admin().post(path, { ...body, id: 'mine', expiresAt: '2026-08-01T00:00:00Z' });
      expect([repeated.status, dataOf(repeated)]).to.deep.equal([
        200,
        { ...stored, lastUsedAt: (dataOf(repeated) as { lastUsedAt: unknown }).lastUsedAt, key: null },
      ]);
      expect(admin().changes).to.deep.equal([log('issue', 'mine')]);
      expect(JSON.stringify(await admin().get(path)))
        .not.to.include('digest')
        .and.not.to.include(key);
    });

    it('are issued with an id of their own and some scopes', async () => {
      const reply = await admin().post(path, { ...body, scopes: [oneScope, oneScope] });
      const issued = dataOf(reply) as { readonly id: string; readonly scopes: unknown };
      expect([reply.status, issued.scopes]).to.deep.equal([201, [oneScope]]);
      expect(issued.id).to.match(/^[A-Za-z0-9._~-]{8,}$/);
    });

    it('are rotated, both working during the overlap, and a repeat issues nothing', async () => {
      const old = issuedBy(await admin().post(path, { ...body, id: 'old', scopes: [oneScope] }));
      const rotate = (): Promise<Reply> => admin().post(`${keys}/old/rotate`, { newId: 'new', overlap: '2h' });
      const replies = [await rotate(), await rotate()];
      const [first, ...repeats] = replies.map(issuedBy);
      expect(replies.map(({ status }) => status)).to.deep.equal([201, 200]);
      expect(repeats.filter(({ id, key }) => id !== 'new' || key !== null)).to.deep.equal([]);
      expect(admin().changes).to.deep.equal([log('issue', 'old'), log('rotate', 'new')]);
      const used = (): Promise<readonly number[]> =>
        Promise.all([old, first].map((each) => use(admin(), each?.key ?? '')));
      const allowed = await used();
      expect(allowed).not.to.include(401);
      admin().service.now = new Date(noon.getTime() + day / 12);
      expect(await used()).to.deep.equal([401, allowed[1]]);
    });

    it('are rotated without a body: the old key works for a day', async () => {
      await admin().post(path, { ...body, id: 'old' });
      const { status } = await admin().post(`${keys}/old/rotate`);
      const listed = dataOf(await admin().get(path)) as readonly { id: string; expiresAt: unknown }[];
      const old = listed.find(({ id }) => id === 'old');
      expect([status, old?.expiresAt]).to.deep.equal([201, new Date(noon.getTime() + day).toISOString()]);
    });

    it('are revoked at once, and again without another change', async () => {
      const { key } = issuedBy(await admin().post(path, { ...body, id: 'mine' }));
      const revoke = (): Promise<Reply> => admin().post(`${keys}/mine/revoke`);
      const revoked = await revoke();
      expect(await use(admin(), key ?? '')).to.equal(401);
      admin().service.now = new Date(noon.getTime() + 1000);
      expect(dataOf(revoked)).to.include({ id: 'mine', revokedAt: noon.toISOString() });
      expect((await revoke()).body).to.deep.equal(revoked.body);
      expect(admin().changes).to.deep.equal([log('issue', 'mine'), log('revoke', 'mine')]);
    });
  });
}
