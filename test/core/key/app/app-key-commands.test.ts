import { expect } from 'chai';
import { crc32, digest, randomBytes, randomIds } from '../../../../adapters/crypto/node-secrets.ts';
import { MemoryStore } from '../../../../adapters/memory/data/memory-store.ts';
import { MemoryAllKeys } from '../../../../adapters/memory/memory-keys.ts';
import type { Administration } from '../../../../core/administration/administration.ts';
import { appKeyKind, type AppKey } from '../../../../core/key/app/app-key.ts';
import type { AllAppKeys } from '../../../../core/key/app/app-keys.port.ts';
import { rotateAppKey } from '../../../../core/key/app/app-keys.ts';
import { canBeKey, newKey } from '../../../../core/key/key-kind.ts';
import { isUsable } from '../../../../core/key/stored-key.ts';
import { administrationOver } from '../../../support/administration.ts';
import { aCall, anAppKey, day, hour, later, noon } from '../../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../../support/failing.ts';
import { refusalOf, thrownBy } from '../../../support/thrown.ts';

describe('the commands for app keys', () => {
  let appKeys: MemoryAllKeys<AppKey>;
  let administration: Administration;

  beforeEach(async () => {
    const store = new MemoryStore();
    appKeys = new MemoryAllKeys(store.appKeys);
    administration = administrationOver(store);
    await administration.addProduct('prod_1', 'One', aCall());
  });

  it('issue a key in the issued form, and store its digest only', async () => {
    const terms = { productId: 'prod_1', scopes: ['read:entitlements'], expiresAt: later(day) } as const;
    const { issued, key } = await administration.issueAppKey({ id: null, ...terms }, aCall());
    const { id } = issued;
    expect(id).to.match(/^key_[0-9A-Za-z]{22}$/);
    expect(key).to.match(/^svc_sk_live_[0-9A-Za-z]{38}$/);
    expect(canBeKey(appKeyKind, key ?? '', crc32)).to.equal(true);
    const facts = { id, digest: digest(key ?? ''), lastFour: key?.slice(-4), createdAt: noon };
    expect(issued).to.deep.equal({ ...facts, ...terms, revokedAt: null, lastUsedAt: null });
    expect(await Array.fromAsync(administration.everyAppKey(aCall))).to.deep.equal([issued]);
  });

  it('refuse to issue a key for an unknown product', async () => {
    const terms = { id: null, productId: 'prod_2', scopes: [], expiresAt: null };
    const { code } = await refusalOf(administration.issueAppKey(terms, aCall()));
    expect(code).to.equal('product_not_found');
    expect(await listed()).to.deep.equal([]);
  });

  describe('revoke', () => {
    it('revokes a key at once', async () => {
      await appKeys.add(anAppKey());
      expect(await administration.revokeAppKey('key_1', aCall())).to.deep.equal({
        key: anAppKey({ revokedAt: noon }),
        changed: true,
      });
      expect(await appKeys.find('key_1')).to.deep.equal(anAppKey({ revokedAt: noon }));
    });

    for (const since of [0, day]) {
      it(`leaves a key as it is that was revoked ${since} ms before`, async () => {
        const revoked = anAppKey({ revokedAt: later(-since) });
        await appKeys.add(revoked);
        expect(await administration.revokeAppKey('key_1', aCall())).to.deep.equal({ key: revoked, changed: false });
      });
    }

    it('refuses an unknown key', async () => {
      expect((await refusalOf(administration.revokeAppKey('key_1', aCall()))).code).to.equal('app_key_not_found');
    });
  });

  describe('rotate', () => {
    const rotation = { id: 'key_1', newId: null, overlap: hour, expiresAt: null };

    it('issues a key with the same product and scopes, and ends the old one after the overlap', async () => {
      const old = anAppKey({ scopes: ['read:entitlements'], productId: 'prod_7' });
      await appKeys.add(old);
      const { issued, key } = await administration.rotateAppKey(rotation, aCall());
      const facts = { id: issued.id, digest: digest(key ?? ''), lastFour: key?.slice(-4), createdAt: noon };
      expect(issued).to.deep.equal({ ...old, ...facts });
      expect(await appKeys.find('key_1')).to.deep.equal({ ...old, expiresAt: later(hour) });
      expect(isUsable({ ...old, expiresAt: later(hour) }, later(hour - 1))).to.equal(true);
    });

    const ends: readonly (readonly [string, Date | null, Date])[] = [
      ['never expires, after the overlap', null, later(hour)],
      ['expires later, after the overlap', later(hour + 1), later(hour)],
      ['expires sooner, when it would have', later(hour - 1), later(hour - 1)],
    ];
    for (const [what, before, end] of ends) {
      it(`ends a key that ${what}`, async () => {
        await appKeys.add(anAppKey({ expiresAt: before }));
        await administration.rotateAppKey(rotation, aCall());
        expect((await appKeys.find('key_1'))?.expiresAt).to.deep.equal(end);
      });
    }

    it('does not inherit the expiry, but takes a given one', async () => {
      await appKeys.add(anAppKey({ expiresAt: later(day) }));
      const first = await administration.rotateAppKey(rotation, aCall());
      const second = await administration.rotateAppKey({ ...rotation, expiresAt: later(2 * day) }, aCall());
      expect([first.issued.expiresAt, second.issued.expiresAt]).to.deep.equal([null, later(2 * day)]);
    });

    for (const [state, old] of [
      ['revoked', anAppKey({ revokedAt: later(-1) })],
      ['expired', anAppKey({ expiresAt: noon })],
    ] as const) {
      it(`refuses a key that is ${state}, and issues none`, async () => {
        await appKeys.add(old);
        expect((await refusalOf(administration.rotateAppKey(rotation, aCall()))).code).to.equal('app_key_ended');
        expect(await listed()).to.deep.equal([old]);
      });
    }

    for (const when of moments) {
      for (const method of ['add', 'end'] as const) {
        it(`leaves the merchant a working key if the write ${method} fails ${when} it takes effect`, async () => {
          await appKeys.add(anAppKey());
          const failingKeys = failing<AllAppKeys>(appKeys, { method, nth: 1, when });
          const rotate = rotateAppKey(failingKeys, newKey(appKeyKind, randomIds('key_'), randomBytes, crc32, digest));
          expect(await thrownBy(rotate(rotation, aCall()))).to.be.instanceOf(InjectedFault);
          const old = await appKeys.find('key_1');
          expect(old?.expiresAt).to.deep.equal(method === 'end' && when === 'after' ? later(hour) : null);
          expect(await listed()).to.have.length(method === 'add' && when === 'before' ? 1 : 2);
        });
      }
    }

    it('refuses an unknown key', async () => {
      expect((await refusalOf(administration.rotateAppKey(rotation, aCall()))).code).to.equal('app_key_not_found');
    });
  });

  function listed(): Promise<readonly AppKey[]> {
    return appKeys.page({ after: null, limit: 100 });
  }
});
