import { expect } from 'chai';
import { appKeyKind, scopes, type AppKey, type Scope } from '../../../../core/key/app/app-key.ts';
import type { AppKeys } from '../../../../core/key/app/app-keys.port.ts';
import { authenticateKey, authorizeKey } from '../../../../core/key/check-key.ts';
import { generateKey } from '../../../../core/key/key-kind.ts';
import { aCall, anAppKey, later } from '../../../support/builders.ts';
import { crc32, randomBytes, sha256 } from '../../../support/run/secrets.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const invalid = { code: 'invalid_app_key', details: {} };

describe('access with an app key', () => {
  const store = freshStore(memory.open);
  const presented = generateKey(appKeyKind, randomBytes, crc32);
  const recorded: (readonly [string, Date])[] = [];
  beforeEach(() => recorded.splice(0));

  it('returns the app key of a credential, for each of its scopes', async () => {
    const key = await add(presented);
    for (const scope of scopes) expect(await enter(presented, scope)).to.deep.equal(key);
  });

  it('accepts a stored key that has the prefix but was not issued here', async () => {
    const seeded = await add('svc_sk_live_demo');
    expect(await enter('svc_sk_live_demo')).to.deep.equal(seeded);
  });

  it('refuses malformed, unknown, revoked and expired keys, and those without the prefix, alike', async () => {
    const refused = [
      generateKey(appKeyKind, randomBytes, crc32),
      generateKey(appKeyKind, randomBytes, crc32),
      generateKey(appKeyKind, randomBytes, crc32),
      'sk_test_without_the_prefix',
    ] as const;
    await add(refused[0], { id: '1', revokedAt: later(-1) });
    await add(refused[1], { id: '2', expiresAt: later(0) });
    await add(refused[3], { id: '3' });
    for (const credential of [...refused, '', 'svc_sk_live_', `${presented}x`, presented.slice(1)]) {
      expect(await refusalOf(enter(credential))).to.deep.equal(invalid);
    }
  });

  it('accepts a key until the millisecond before it expires', async () => {
    await add(presented, { expiresAt: later(1) });
    expect((await enter(presented)).id).to.equal('key_1');
    expect(await refusalOf(enter(presented, 'read:entitlements', 1))).to.deep.equal(invalid);
  });

  it('refuses a scope that the key lacks, and names it', async () => {
    await add(presented, { scopes: ['read:entitlements'] });
    expect(await refusalOf(enter(presented, 'write:entitlements'))).to.deep.equal({
      code: 'insufficient_scope',
      details: { scope: 'write:entitlements' },
    });
  });

  it('refuses a key that cannot exist without a look-up', async () => {
    const last = presented.endsWith('0') ? '1' : '0';
    const mistyped = presented.slice(0, -1) + last;
    await add(mistyped);
    expect(await refusalOf(enter(mistyped))).to.deep.equal(invalid);
  });

  it('records a use a minute after the last one, and only of a key that gives access', async () => {
    await add(presented, { lastUsedAt: later(0), scopes: ['read:entitlements'] });
    await enter(presented, 'read:entitlements', 59_999);
    await refusalOf(enter(presented, 'write:entitlements', 60_000));
    expect(recorded).to.deep.equal([]);
    await enter(presented, 'read:entitlements', 60_000);
    expect(recorded).to.deep.equal([['key_1', later(60_000)]]);
  });

  it('records the first use', async () => {
    await add(presented);
    await enter(presented);
    expect(recorded).to.deep.equal([['key_1', later(0)]]);
  });

  async function enter(credential: string, scope: Scope = 'read:entitlements', milliseconds = 0): Promise<AppKey> {
    const appKeys: AppKeys = {
      find: (digest, call) => store().appKeys.find(digest, call),
      recordUse: (id, at) => recorded.push([id, at]),
    };
    const call = aCall({ now: later(milliseconds) });
    const key = await authenticateKey(appKeyKind, appKeys, sha256, crc32)(credential, call);
    authorizeKey(appKeys)(key, scope, call);
    return key;
  }

  async function add(credential: string, overrides: Partial<AppKey> = {}): Promise<AppKey> {
    const key = anAppKey({ digest: sha256(credential), ...overrides });
    await store().allAppKeys.add(key, aCall());
    return key;
  }
});
