import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { MemoryStore } from '../../../../adapters/memory/data/memory-store.ts';
import { MemoryAllEntitlements } from '../../../../adapters/memory/memory-all-entitlements.ts';
import type { Administration } from '../../../../core/administration/administration.ts';
import type { AllEntitlements } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import { fullSnapshotAt } from '../../../../core/entitlement/administration/show-entitlement.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { administrationOver } from '../../../support/administration.ts';
import { aCall, aGrant, aSubscription, granted, hour, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { refusalOf } from '../../../support/thrown.ts';

const grant = aGrant({ grace: hour });

describe('the commands for entitlements', () => {
  let store: MemoryStore;
  let entitlements: MemoryAllEntitlements;
  let administration: Administration;

  beforeEach(async () => {
    store = new MemoryStore();
    entitlements = new MemoryAllEntitlements(store);
    administration = administrationOver(store);
    await administration.addProduct('prod_1', 'One', aCall());
  });

  describe('grant', () => {
    it('stores the entitlement under a new id, with the license of the returned key', async () => {
      const { entitlement, licenseKey } = await administration.grantEntitlement(
        { grant, id: null, licenseKey: null },
        aCall(),
      );
      expect(entitlement.id).to.match(/^ent_[0-9A-Za-z]{22}$/);
      expect(licenseKey).to.match(/^LK(-[0-9A-Z]{5}){6}$/);
      const stored = await entitlements.find(entitlement.id);
      expect(stored?.license).to.deep.equal({
        digest: licenseDigest(licenseKey, digest),
        lastFour: licenseKey.slice(-4),
        createdAt: noon,
        revokedAt: null,
      });
      expect(stored === null ? null : snapshotAt(stored, noon)).to.deep.equal(entitlement);
    });

    it('takes a given id and a given license key', async () => {
      const licenseKey = 'a key that was issued elsewhere';
      const answer = await administration.grantEntitlement({ grant, id: 'from-elsewhere', licenseKey }, aCall());
      expect([answer.entitlement.id, answer.licenseKey]).to.deep.equal(['from-elsewhere', licenseKey]);
      expect(await administration.findByLicenseKey(licenseKey, aCall())).to.deep.include(answer.entitlement);
    });

    it('refuses an unknown product, an existing id or reference, an existing or short license key and an empty period', async () => {
      await administration.grantEntitlement(
        { grant: { ...grant, reference: 'sub_1' }, id: 'ent_1', licenseKey: 'k'.repeat(24) },
        aCall(),
      );
      const requests = [
        { grant: { ...grant, productId: 'prod_2' }, id: null, licenseKey: null },
        { grant, id: 'ent_1', licenseKey: null },
        { grant, id: null, licenseKey: ` ${'k'.repeat(24)} ` },
        { grant, id: null, licenseKey: 'k'.repeat(23) },
        { grant: { ...grant, currentPeriodEnd: noon }, id: null, licenseKey: null },
        { grant: { ...grant, reference: 'sub_1' }, id: null, licenseKey: null },
      ];
      const codes = [];
      for (const request of requests)
        codes.push((await refusalOf(administration.grantEntitlement(request, aCall()))).code);
      expect(codes).to.deep.equal([
        'product_not_found',
        'entitlement_exists',
        'license_key_exists',
        'invalid_license_key',
        'period_end_too_early',
        'reference_exists',
      ]);
      expect([...store.entitlements.byId.keys()]).to.deep.equal(['ent_1']);
    });
  });

  it('show an entitlement of any product, and refuse an unknown id', async () => {
    const entitlement = aSubscription({ productId: 'prod_9' });
    await entitlements.add(granted([entitlement]), aCall());
    expect(await administration.showEntitlement('ent_1', aCall())).to.deep.equal(fullSnapshotAt(entitlement, noon));
    const { code } = await refusalOf(administration.showEntitlement('ent_2', aCall()));
    expect(code).to.equal('entitlement_not_found');
  });

  describe('that change an entitlement', () => {
    beforeEach(() => entitlements.add(granted([aSubscription()]), aCall()));

    it('store the change and return the version that they found', async () => {
      const answer = await administration.runEntitlementCommand('ent_1', { kind: 'suspend' }, aCall());
      const change = { version: 2, revision: 2, sequence: 1, updatedAt: noon };
      const next = aSubscription({ hold: { kind: 'suspended' }, ...change });
      expect(await entitlements.find('ent_1')).to.deep.equal(next);
      expect(answer).to.deep.equal({ snapshot: snapshotAt(next, noon), versionBefore: 1 });
    });

    it('write nothing if there is nothing to change', async () => {
      const answer = await administration.runEntitlementCommand('ent_1', { kind: 'reinstate' }, aCall());
      expect(await entitlements.find('ent_1')).to.deep.equal(aSubscription());
      expect(answer).to.deep.equal({ snapshot: snapshotAt(aSubscription(), noon), versionBefore: 1 });
    });

    it('refuse an unknown id, and a status that forbids the change', async () => {
      const unknown = await refusalOf(administration.runEntitlementCommand('ent_2', { kind: 'revoke' }, aCall()));
      const renewal = { kind: 'renew', currentPeriodEnd: noon, grace: 0 } as const;
      const tooEarly = await refusalOf(administration.runEntitlementCommand('ent_1', renewal, aCall()));
      expect([unknown.code, tooEarly.code]).to.deep.equal(['entitlement_not_found', 'period_end_too_early']);
      expect(await entitlements.find('ent_1')).to.deep.equal(aSubscription());
    });

    it('all succeed when twenty run at once', async () => {
      const answers = await Promise.all(range(20).map(() => administration.rotateLicense('ent_1', null, aCall())));
      const versions = answers.map(({ snapshot }) => snapshot.version).toSorted((a, b) => a - b);
      expect(versions).to.deep.equal(range(20).map((index) => index + 2));
      expect((await entitlements.find('ent_1'))?.version).to.equal(21);
      expect(store.entitlements.licenses.size).to.equal(1);
    });

    it('decide again if another writer came in between', async () => {
      const crowded = interrupted(entitlements, 1);
      const answer = await administrationOver(store, { allEntitlements: crowded }).runEntitlementCommand(
        'ent_1',
        { kind: 'suspend' },
        aCall(),
      );
      expect([answer.versionBefore, answer.snapshot.version]).to.deep.equal([2, 3]);
    });

    it('fail at the deadline if other writers always come first', async () => {
      const crowded = administrationOver(store, { allEntitlements: interrupted(entitlements, Infinity) });
      let left = 3;
      const call = aCall({ deadline: { remaining: () => left-- } });
      const { code } = await refusalOf(crowded.runEntitlementCommand('ent_1', { kind: 'suspend' }, call));
      expect(code).to.equal('changed_meanwhile');
      expect((await entitlements.find('ent_1'))?.hold).to.deep.equal({ kind: 'none' });
    });
  });
});

/** Wraps the port, so that another writer comes in before each of the first `times` changes. */
function interrupted(entitlements: MemoryAllEntitlements, times: number): AllEntitlements {
  let left = times;
  return {
    find: (id) => entitlements.find(id),
    findByLicense: (key) => entitlements.findByLicense(key),
    page: (part) => entitlements.page(part),
    findExisting: (keys) => entitlements.findExisting(keys),
    add: (each, call) => entitlements.add(each, call),
    replace: async (seen, next, changeRecord, call) => {
      left -= 1;
      const { version, revision } = seen;
      const rival = { ...seen, version: version + 1, revision: revision + 1 };
      if (left >= 0) await entitlements.replace(seen, rival, changeRecord, call);
      return entitlements.replace(seen, next, changeRecord, call);
    },
  };
}
