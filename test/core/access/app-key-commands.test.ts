import { expect } from 'chai';
import { MemoryAllAppKeys } from '../../../adapters/memory/memory-all-app-keys.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { crc32, digest, randomBytes, randomIds } from '../../../adapters/crypto/node-secrets.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import type { AllAppKeys } from '../../../core/access/all-app-keys.port.ts';
import { canBeAppKey, isUsable } from '../../../core/access/app-key.ts';
import { newAppKey } from '../../../core/access/new-app-key.ts';
import { rotateAppKey } from '../../../core/access/rotate-app-key.ts';
import { administrationOver } from '../../support/administration.ts';
import { aCall, anAppKey, day, hour, later, noon } from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

describe('the commands for app keys', () => {
  let appKeys: MemoryAllAppKeys;
  let administration: Administration;

  beforeEach(async () => {
    const store = new MemoryStore();
    appKeys = new MemoryAllAppKeys(store);
    administration = administrationOver(store);
    await administration.addProduct('prod_1', 'One', aCall());
  });

  it('issue a key in the issued form, and store its digest only', async () => {
    const terms = { productId: 'prod_1', scopes: ['read:entitlements'], expiresAt: later(day) } as const;
    const issued = await administration.issueAppKey(terms, aCall());
    const { id, key } = issued;
    expect(issued).to.deep.equal({ id, key, ...terms });
    expect(id).to.match(/^key_[0-9A-Za-z]{22}$/);
    expect(key).to.match(/^svc_sk_live_[0-9A-Za-z]{38}$/);
    expect(canBeAppKey(key, crc32)).to.equal(true);
    expect(await administration.listAppKeys(aCall())).to.deep.equal([
      {
        id,
        ...terms,
        digest: digest(key),
        lastFour: key.slice(-4),
        createdAt: noon,
        revokedAt: null,
        lastUsedAt: null,
      },
    ]);
  });

  it('refuse to issue a key for an unknown product', async () => {
    const terms = { productId: 'prod_2', scopes: [], expiresAt: null };
    const { code } = await refusalOf(administration.issueAppKey(terms, aCall()));
    expect(code).to.equal('product_not_found');
    expect(await appKeys.list()).to.deep.equal([]);
  });

  describe('revoke', () => {
    it('revokes a key at once', async () => {
      await appKeys.add(anAppKey());
      expect(await administration.revokeAppKey('key_1', aCall())).to.deep.equal(anAppKey({ revokedAt: noon }));
      expect(await appKeys.find('key_1')).to.deep.equal(anAppKey({ revokedAt: noon }));
    });

    it('leaves a revoked key as it is', async () => {
      await appKeys.add(anAppKey({ revokedAt: later(-day) }));
      expect(await administration.revokeAppKey('key_1', aCall())).to.deep.equal(anAppKey({ revokedAt: later(-day) }));
    });

    it('refuses an unknown key', async () => {
      expect((await refusalOf(administration.revokeAppKey('key_1', aCall()))).code).to.equal('app_key_not_found');
    });
  });

  describe('rotate', () => {
    const rotation = { id: 'key_1', overlap: hour, expiresAt: null };

    it('issues a key with the same product and scopes, and ends the old one after the overlap', async () => {
      const old = anAppKey({ scopes: ['read:entitlements'], productId: 'prod_7' });
      await appKeys.add(old);
      const issued = await administration.rotateAppKey(rotation, aCall());
      const { id, key } = issued;
      expect(issued).to.deep.equal({ id, key, productId: 'prod_7', scopes: ['read:entitlements'], expiresAt: null });
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
      expect([first.expiresAt, second.expiresAt]).to.deep.equal([null, later(2 * day)]);
    });

    for (const [state, old] of [
      ['revoked', anAppKey({ revokedAt: later(-1) })],
      ['expired', anAppKey({ expiresAt: noon })],
    ] as const) {
      it(`refuses a key that is ${state}, and issues none`, async () => {
        await appKeys.add(old);
        expect((await refusalOf(administration.rotateAppKey(rotation, aCall()))).code).to.equal('app_key_ended');
        expect(await appKeys.list()).to.deep.equal([old]);
      });
    }

    for (const when of moments) {
      it(`leaves the merchant a working key if ending the old one fails ${when} it takes effect`, async () => {
        await appKeys.add(anAppKey());
        const failingKeys = failing<AllAppKeys>(appKeys, { method: 'end', nth: 1, when });
        const rotate = rotateAppKey(failingKeys, newAppKey(randomIds('key_'), randomBytes, crc32, digest));
        expect(await thrownBy(rotate(rotation, aCall()))).to.be.instanceOf(InjectedFault);
        const old = await appKeys.find('key_1');
        expect(old?.expiresAt).to.deep.equal(when === 'before' ? null : later(hour));
        expect(await appKeys.list()).to.have.length(2);
      });
    }

    it('refuses an unknown key', async () => {
      expect((await refusalOf(administration.rotateAppKey(rotation, aCall()))).code).to.equal('app_key_not_found');
    });
  });
});
