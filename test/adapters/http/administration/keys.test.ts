import { expect } from 'chai';
import { scopes } from '../../../../core/access/scope.ts';
import { operatorScopes } from '../../../../core/operator/operator-scope.ts';
import { day, noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf, type AdminClient } from '../../../support/http/admin-client.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { bearer } from '../../../support/http/requests.ts';
import { stores } from '../../../support/stores/stores.ts';

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
  readonly codes: { readonly notFound: string; readonly exists: string; readonly ended: string };
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
    codes: { notFound: 'app_key_not_found', exists: 'app_key_exists', ended: 'app_key_ended' },
    use: async ({ service }, key) =>
      (await service.send('/api/app-entitlements/none', { headers: [bearer(key)] })).status,
  },
  {
    name: 'operator keys',
    path: '/admin/operators',
    keys: '/admin/operators',
    body: { name: 'Support' },
    owner: { name: 'Support' },
    allScopes: operatorScopes,
    oneScope: 'admin:read',
    log: (command, id) => ({ command: `operator ${command}`, operatorKeyId: id, ...by }),
    codes: { notFound: 'operator_key_not_found', exists: 'operator_key_exists', ended: 'operator_key_ended' },
    use: async (admin, key) => (await admin.send('POST', '/admin/listings/none/pause', { key })).status,
  },
];

interface Issued {
  readonly id: string;
  readonly key: string | null;
}

const issuedBy = (reply: Reply): Issued => dataOf(reply) as Issued;

for (const store of stores) {
  for (const { name, path, keys, body, owner, allScopes, oneScope, log, codes, use } of kinds) {
    describe(`the ${name} of the administration on ${store.name}`, () => {
      const admin = freshAdmin(store);

      beforeEach(async () => {
        await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
        await admin().put('/admin/products/prod_2', { name: 'Metronome' });
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

      it('are issued once by twenty requests with an id', async () => {
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => admin().post(path, { ...body, id: 'mine' })),
        );
        const shown = replies.filter((reply) => issuedBy(reply).key !== null);
        expect(shown.map(({ status }) => status)).to.deep.equal([201]);
        expect(replies.filter(({ status }) => status === 200)).to.have.length(19);
        expect(admin().changes).to.have.length(1);
      });

      it('are rotated, both working during the overlap, and a repeat issues nothing', async () => {
        const old = issuedBy(await admin().post(path, { ...body, id: 'old', scopes: [oneScope] }));
        const rotate = (): Promise<Reply> => admin().post(`${keys}/old/rotate`, { newId: 'new', overlap: '2h' });
        const replies = [await rotate(), ...(await Promise.all(Array.from({ length: 20 }, rotate)))];
        const [first, ...repeats] = replies.map(issuedBy);
        expect(replies.map(({ status }) => status)).to.deep.equal([201, ...repeats.map(() => 200)]);
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
        const [revoked = expect.fail(), ...sameInstant] = await Promise.all(Array.from({ length: 20 }, revoke));
        expect(await use(admin(), key ?? '')).to.equal(401);
        admin().service.now = new Date(noon.getTime() + 1000);
        const replies = [...sameInstant, ...(await Promise.all(Array.from({ length: 20 }, revoke)))];
        expect(dataOf(revoked)).to.include({ id: 'mine', revokedAt: noon.toISOString() });
        expect(replies.filter((each) => JSON.stringify(each.body) !== JSON.stringify(revoked.body))).to.deep.equal([]);
        expect(admin().changes).to.deep.equal([log('issue', 'mine'), log('revoke', 'mine')]);
        expect(outcomeOf(await admin().post(`${keys}/mine/rotate`)).slice(0, 2)).to.deep.equal([409, codes.ended]);
      });

      it('are refused for what is unknown, taken or too early', async () => {
        await admin().post(path, { ...body, id: 'taken' });
        await admin().post('/admin/products/prod_2/app-keys', { id: 'of_another' });
        await admin().post('/admin/operators', { id: 'of_another', name: 'Another' });
        const expired = { ...body, expiresAt: noon.toISOString() };
        const refusals: readonly (readonly [Promise<Reply>, number, string])[] = [
          [admin().post(`${keys}/none/rotate`, {}), 404, codes.notFound],
          [admin().post(`${keys}/none/revoke`), 404, codes.notFound],
          [admin().post(path, { ...body, id: 'of_another' }), 409, codes.exists],
          [admin().post(`${keys}/taken/rotate`, { newId: 'taken' }), 409, codes.exists],
          [admin().post(`${keys}/taken/rotate`, { newId: 'of_another' }), 409, codes.exists],
          [admin().post(path, expired), 409, 'expiry_too_early'],
          [admin().post(`${keys}/taken/rotate`, { expiresAt: noon.toISOString() }), 409, 'expiry_too_early'],
          [admin().get('/admin/products/none/app-keys'), 404, 'product_not_found'],
          [admin().post('/admin/products/none/app-keys', {}), 404, 'product_not_found'],
        ];
        for (const [reply, status, code] of refusals) {
          expect(outcomeOf(await reply).slice(0, 2)).to.deep.equal([status, code]);
        }
      });

      it('are refused with wrong members', async () => {
        const wrong: readonly (readonly [path: string, body: object, message: string])[] = [
          [path, { ...body, scopes: [] }, `scopes must be an array of one or more of ${allScopes.join(', ')}.`],
          [path, { ...body, scopes: ['all'] }, `scopes must be an array of one or more of ${allScopes.join(', ')}.`],
          [path, { ...body, scopes: oneScope }, `scopes must be an array of one or more of ${allScopes.join(', ')}.`],
          [path, { ...body, expires: '2027-01-01T00:00:00Z' }, '"expires" is not a member of this request.'],
          [
            path,
            { ...body, expiresAt: '2027-01-01' },
            'expiresAt must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.',
          ],
          [
            `${keys}/none/rotate`,
            { overlap: 5 },
            'overlap must be a whole number with s, m, h or d, such as 24h, of at most 36500d.',
          ],
        ];
        for (const [target, members, message] of wrong) {
          const reply = await admin().post(target, members);
          expect(outcomeOf(reply), JSON.stringify(members)).to.deep.equal([400, 'invalid_body', message]);
        }
      });
    });
  }
}
