import { expect } from 'chai';
import { scopes } from '../../../core/key/app/app-key.ts';
import { operatorScopes } from '../../../core/key/operator/operator-key.ts';
import { aCall, day, hour, later, noon } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';

interface Issued {
  readonly id: string;
  readonly key: string | null;
}

const kinds = [
  {
    group: 'key',
    idMember: 'appKeyId',
    terms: { productId: 'prod_1' },
    owner: { productId: 'prod_1' },
    allScopes: scopes,
    oneScope: 'read:entitlements',
    form: /^svc_sk_live_[0-9A-Za-z]{38}$/,
  },
  {
    group: 'operator',
    idMember: 'operatorKeyId',
    terms: { name: 'Support' },
    owner: { name: 'Support', products: null },
    allScopes: operatorScopes,
    oneScope: 'admin:read',
    form: /^svc_op_live_[0-9A-Za-z]{38}$/,
  },
] as const;

for (const { group, idMember, terms, owner, allScopes, oneScope, form } of kinds) {
  const logged = (verb: string, id: string) => ({ command: `${group} ${verb}`, [idMember]: id });

  atEachDoor(`the commands about ${group} keys`, (door) => {
    beforeEach(() => door().administration.addProduct('prod_1', 'Sketchpad', aCall()));

    const issue = async (more: object = {}) => (await door().run(`${group} issue`, { ...terms, ...more })) as Issued;
    const find = (id: string) =>
      group === 'key'
        ? door().administration.findAppKey(id, aCall())
        : door().administration.findOperatorKey(id, aCall());

    it('issue a key with every scope and without an end, under an id of its own', async () => {
      const { id, key, ...issued } = await issue();
      expect(id).to.match(/^[A-Za-z0-9._~-]{8,}$/);
      expect(key).to.match(form);
      expect(issued).to.deep.include({ ...owner, scopes: [...allScopes], expiresAt: null });
    });

    it('issue a key with some scopes, an end and an id, once, which the log has without the key', async () => {
      const given = { id: 'mine', scopes: [oneScope, oneScope], expiresAt: '2026-08-01T02:00:00+02:00' };
      const issued = await issue(given);
      const shown = { id: 'mine', ...owner, scopes: [oneScope], expiresAt: '2026-08-01T00:00:00.000Z' };
      expect(issued).to.deep.include(shown);
      expect(await issue(given)).to.deep.include({ ...shown, key: null });
      expect(door().changes()).to.deep.equal([logged('issue', 'mine')]);
    });

    it('rotate a key, which works for a day more, or for the overlap', async () => {
      const { key: old } = await issue({ id: 'old', scopes: [oneScope] });
      const rotated = (await door().run(`${group} rotate`, { id: 'old' })) as Issued;
      expect(rotated).to.deep.include({ ...owner, scopes: [oneScope], expiresAt: null });
      expect(rotated.key).to.match(form).and.not.equal(old);
      expect((await find('old'))?.expiresAt).to.deep.equal(later(day));
      const end = '2027-01-01T00:00:00.000Z';
      const again = (await door().run(`${group} rotate`, { id: 'old', overlap: '2h', expiresAt: end })) as Issued;
      expect(again).to.include({ expiresAt: end });
      expect((await find('old'))?.expiresAt).to.deep.equal(later(2 * hour));
      expect(door().changes()).to.deep.equal([
        logged('issue', 'old'),
        logged('rotate', rotated.id),
        logged('rotate', again.id),
      ]);
    });

    it('revoke a key at once, and again without another change', async () => {
      await issue({ id: 'mine' });
      const revoked = await door().run(`${group} revoke`, { id: 'mine' });
      expect(revoked).to.include({ id: 'mine', revokedAt: noon.toISOString() });
      expect(await door().run(`${group} revoke`, { id: 'mine' })).to.deep.equal(revoked);
      expect(door().changes()).to.deep.equal([logged('issue', 'mine'), logged('revoke', 'mine')]);
    });
  });
}
