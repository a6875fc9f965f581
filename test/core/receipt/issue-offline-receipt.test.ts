import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { offlineAge, offlineAgeRule, type IssueOfflineReceipt } from '../../../core/receipt/issue-offline-receipt.ts';
import { rotated } from '../../../core/receipt/key-ring.ts';
import type { SigningKeys } from '../../../core/receipt/signing-keys.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  aCall,
  aLicense,
  aOneTimePurchase,
  aSubscription,
  day,
  granted,
  hour,
  later,
  noon,
} from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { aFreshRing, signingKeysOf } from '../../support/receipts/key-rings.ts';
import { decoded } from '../../support/receipts/read-receipt.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const issuer = 'https://licenses.example';
const license = aLicense();

describe('issueOfflineReceipt', () => {
  let data: MemoryStore;
  let ports: StorePorts;

  beforeEach(async () => {
    data = new MemoryStore();
    ({ ports } = openMemoryStore(retentionFor(defaultTtl), data));
    await ports.allEntitlements.add(
      granted([
        aOneTimePurchase({ license }),
        aSubscription({ license: { ...license, digest: 'other' } }),
        aSubscription({ id: 'ent_bare' }),
        aSubscription({ id: 'ent_suspended', license: { ...license, digest: 'third' }, hold: { kind: 'suspended' } }),
        aSubscription({
          id: 'ent_revoked',
          license: { ...license, digest: 'fourth', revokedAt: noon },
          hold: { kind: 'suspended' },
        }),
      ]),
      aCall(),
    );
  });

  it('signs for as long as it is asked to, and notes the end with the key', async () => {
    await ports.signingKeys.replace(aFreshRing(), aCall());
    const { receipt, ...rest } = await issue('ent_once', 365 * day);
    expect(rest).to.deep.equal({
      issuedAt: noon,
      refreshAfter: later(182.5 * day),
      expiresAt: later(365 * day),
      entitlementId: 'ent_once',
    });
    expect(JSON.parse(read(receipt).claims)).to.include({ mode: 'offline', key: license.digest, iss: issuer });
    expect(JSON.parse(read(receipt).header)).to.have.property('kid', aFreshRing().active.kid);
    expect(data.keyRing?.active.offlineUntil).to.deep.equal(later(365 * day));
  });

  it('reads and writes the keys once', async () => {
    await ports.signingKeys.replace(aFreshRing(), aCall());
    const calls: string[] = [];
    const signingKeys: SigningKeys = {
      read: async (call) => {
        calls.push('read');
        return ports.signingKeys.read(call);
      },
      replace: async (next, call) => {
        calls.push('replace');
        return ports.signingKeys.replace(next, call);
      },
    };
    await issue('ent_once', day, { signingKeys });
    expect(calls).to.deep.equal(['read', 'replace']);
  });

  it('ends with the period and its grace', async () => {
    const { expiresAt } = await issue('ent_1', 365 * day);
    expect(expiresAt).to.deep.equal(aSubscription().graceUntil);
  });

  it('makes the keys where there are none, and writes nothing where a later end is noted', async () => {
    await issue('ent_once', 2 * day);
    const { keyRing } = data;
    expect(keyRing?.revision).to.equal(2);
    await issue('ent_once', 2 * day);
    await issue('ent_once', day);
    expect(data.keyRing).to.equal(keyRing);
  });

  for (const when of moments) {
    it(`hands out nothing if noting its end fails ${when} it takes effect`, async () => {
      await ports.signingKeys.replace(aFreshRing(), aCall());
      const signingKeys = failing(ports.signingKeys, { method: 'replace', nth: 1, when });
      expect(await thrownBy(issue('ent_once', day, { signingKeys }))).to.be.instanceOf(InjectedFault);
      await issue('ent_once', day);
      expect(data.keyRing?.active.offlineUntil).to.deep.equal(later(day));
    });
  }

  it('notes its end with the key that signs it, also if another rotates in between', async () => {
    const first = aFreshRing();
    await ports.signingKeys.replace(first, aCall());
    let rotations = 0;
    const signingKeys: SigningKeys = {
      read: (call) => ports.signingKeys.read(call),
      replace: async (next, call) => {
        if (rotations === 0) await ports.signingKeys.replace(rotated(first, signingKeysOf('rotation'), noon), call);
        rotations += 1;
        return ports.signingKeys.replace(next, call);
      },
    };
    const { receipt } = await issue('ent_once', day, { signingKeys });
    expect(JSON.parse(read(receipt).header)).to.have.property('kid', first.next.kid);
    expect(data.keyRing?.active).to.deep.include({ kid: first.next.kid, offlineUntil: later(day) });
  });

  const refused: readonly (readonly [string, string, number, string])[] = [
    ['an unknown entitlement', 'ent_unknown', day, 'entitlement_not_found'],
    ['one without a license', 'ent_bare', day, 'license_not_found'],
    ['one whose license is revoked, before its access is looked at', 'ent_revoked', day, 'license_not_found'],
    ['one that gives no access', 'ent_suspended', day, 'no_access'],
    ['less than a second', 'ent_once', 999, 'no_access'],
  ];
  for (const [what, id, expires, code] of refused) {
    it(`refuses ${what}, and makes no keys`, async () => {
      expect(await refusalOf(issue(id, expires))).to.deep.equal({ code, details: {} });
      expect(data.keyRing).to.equal(null);
    });
  }

  it('refuses to sign by a clock that is far ahead of the time at which the store was served', async () => {
    await ports.clockMarks.raise(later(-2 * hour), aCall());
    expect((await refusalOf(issue('ent_once', day))).code).to.equal('clock_not_trusted');
    await ports.clockMarks.raise(later(-hour), aCall());
    await issue('ent_once', day);
  });

  it('holds for 365 days, or the longest time that is allowed, if nobody says it', () => {
    expect(offlineAge(null, 400 * day)).to.equal(365 * day);
    expect(offlineAge(null, 30 * day)).to.equal(30 * day);
    expect(offlineAge(2 * day, 30 * day)).to.equal(2 * day);
  });

  it('cannot be asked to hold for no time', () => {
    for (const text of ['0s', '0m', '0h', '00d', '', '-1d']) expect(offlineAgeRule.parse(text), text).to.equal(null);
    expect(offlineAgeRule.parse('1s')).to.equal(1000);
  });

  function issue(
    entitlementId: string,
    expires: number,
    replaced: Partial<StorePorts> = {},
  ): ReturnType<IssueOfflineReceipt> {
    const { issueOfflineReceipt } = administrationOf({ ...ports, ...replaced }, nodePlatform);
    return issueOfflineReceipt({ entitlementId, expires, issuer }, aCall());
  }
});

function read(receipt: string): { readonly header: string; readonly claims: string } {
  return decoded(receipt.slice(0, receipt.lastIndexOf('.') + 1));
}
