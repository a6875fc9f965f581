import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../../core/entitlement/event/change-record.ts';
import type { Grant } from '../../../../core/entitlement/grant.ts';
import { maxHistory } from '../../../../core/entitlement/history-entry.ts';
import { verifyLicense } from '../../../../core/entitlement/license/verify-license.ts';
import { ofEntitlements } from '../../../../core/feed/events.port.ts';
import { movedLicense } from '../../../../core/license/moved-license.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  aOneTimeGrant,
  aSubscription,
  changed,
  day,
  granted,
  later,
  noon,
} from '../../../support/builders.ts';
import { sha256 } from '../../../support/run/secrets.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const key = 'b0aa1c7e-5104-4067-a91d-77b872934d51';
const license = aLicense({ digest: sha256(key), lastFour: '4d51', createdAt: later(-90 * day) });
const over = { currentPeriodEnd: later(-2 * day), graceUntil: later(-day) };
const ended = aSubscription({ id: 'sub_1', license, ...over });
const current = aSubscription({ id: 'sub_2', license: aLicense({ digest: 'of sub_2', createdAt: later(-day) }) });

function moveRecord(left: Entitlement): ChangeRecord {
  return aChangeRecord(left, { operation: 'license_moved', correlationId: 'that-of-the-move' });
}

describe('a license that moves', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);
  const move = (from: string, to: string, now = noon) =>
    administration().moveLicense({ from, to, version: null }, aCall({ now }));
  const find = (id: string) => store().allEntitlements.find(id, aCall());
  const refusal = async (from: string, to: string) => (await refusalOf(move(from, to))).code;

  async function cancelOrResume(id: string, now: Date): Promise<void> {
    const seen = await find(id);
    const isCanceled = seen?.kind === 'subscription' && seen.cancellation !== null;
    await administration().runEntitlementCommand(id, { kind: isCanceled ? 'resume' : 'cancel' }, aCall({ now }));
  }

  async function verified(): Promise<unknown> {
    const { valid, entitlement } = await verifyLicense(store().licenses, nodePlatform.digest)(key, null, aCall());
    return [valid, entitlement?.id ?? null];
  }

  async function lastEventOf(id: string): Promise<unknown> {
    await store().settle();
    const { events } = await store().events.page(ended.productId, 0, 100, aCall());
    const own = ofEntitlements(events).flatMap(({ event }) => (event.entitlement.id === id ? [event] : []));
    return [own.at(-1)?.type, own.at(-1)?.license];
  }

  it('opens by the other entitlement; both have an event and an entry of the history', async () => {
    await store().allEntitlements.add(granted([ended, current]), aCall());
    expect(await verified()).to.deep.equal([false, 'sub_1']);
    const { from, to } = await move('sub_1', 'sub_2');
    expect([from.versionBefore, from.snapshot.version, to.versionBefore, to.snapshot.version]).to.deep.equal([
      1, 2, 1, 2,
    ]);
    expect(await verified()).to.deep.equal([true, 'sub_2']);
    expect((await find('sub_2'))?.license).to.deep.equal(license);
    for (const id of ['sub_1', 'sub_2']) {
      const [latest] = await administration().showHistory(id, aCall());
      expect(latest?.operation).to.equal('license_moved');
    }
    const { digest: _, ...facts } = license;
    expect(await lastEventOf('sub_1')).to.deep.equal(['license.moved', { ...facts, revokedAt: noon }]);
    expect(await lastEventOf('sub_2')).to.deep.equal(['license.moved', facts]);
  });

  it('changes nothing when the move is repeated, also after the key was rotated or has moved on', async () => {
    const third = aSubscription({ id: 'sub_3' });
    await store().allEntitlements.add(granted([ended, current, third]), aCall());
    await move('sub_1', 'sub_2');
    const once = await find('sub_2');
    await move('sub_1', 'sub_2', later(1));
    expect(await find('sub_2')).to.deep.equal(once);
    await administration().rotateLicense('sub_2', null, aCall({ now: later(2) }));
    const rotated = await find('sub_2');
    await move('sub_1', 'sub_2', later(3));
    expect(await find('sub_2')).to.deep.equal(rotated);
  });

  it('changes nothing when the move is repeated after another license has moved there', async () => {
    const other = aSubscription({ id: 'sub_3', license: aLicense({ digest: 'of sub_3' }), ...over });
    await store().allEntitlements.add(granted([ended, current, other]), aCall());
    await move('sub_1', 'sub_2');
    await move('sub_3', 'sub_2', later(1));
    const both = await find('sub_2');
    expect(both?.license?.digest).to.equal('of sub_3');
    await move('sub_1', 'sub_2', later(2));
    expect(await find('sub_2')).to.deep.equal(both);
  });

  it('can move on, and back', async () => {
    await store().allEntitlements.add(granted([ended, current]), aCall());
    await move('sub_1', 'sub_2');
    await administration().runEntitlementCommand('sub_2', { kind: 'revoke' }, aCall());
    const renewal = { kind: 'renew', currentPeriodEnd: later(30 * day), grace: day } as const;
    await administration().runEntitlementCommand('sub_1', renewal, aCall());
    await move('sub_2', 'sub_1', later(1));
    expect(await verified()).to.deep.equal([true, 'sub_1']);
    await move('sub_2', 'sub_1', later(2));
    expect(await verified()).to.deep.equal([true, 'sub_1']);
  });

  it('is completed by a repeat, if a kill came between the writes of the two', async () => {
    await store().allEntitlements.add(granted([ended, current]), aCall());
    const left = { ...changed(ended), license: movedLicense(license, 'sub_1', 'sub_2', noon) };
    await store().allEntitlements.replace(ended, left, moveRecord(left), aCall());
    expect(await verified()).to.deep.equal([false, null]);
    await move('sub_1', 'sub_2', later(1));
    expect(await verified()).to.deep.equal([true, 'sub_2']);
    expect(await find('sub_1')).to.deep.equal(left);
  });

  it('is completed by a repeat, if the license of the other one was rotated after the kill', async () => {
    await store().allEntitlements.add(granted([ended, current]), aCall());
    const left = { ...changed(ended), license: movedLicense(license, 'sub_1', 'sub_2', noon) };
    await store().allEntitlements.replace(ended, left, moveRecord(left), aCall());
    await administration().rotateLicense('sub_2', null, aCall({ now: later(1) }));
    await move('sub_1', 'sub_2', later(2));
    expect(await verified()).to.deep.equal([true, 'sub_2']);
  });

  it('is completed by a repeat, unless the history of the other one no longer reaches back to the kill', async () => {
    await store().allEntitlements.add(granted([ended, current]), aCall());
    for (let change = 0; change < maxHistory; change += 1) await cancelOrResume('sub_2', noon);
    const left = { ...changed(ended), license: movedLicense(license, 'sub_1', 'sub_2', noon) };
    await store().allEntitlements.replace(ended, left, moveRecord(left), aCall());
    for (let change = 0; change < maxHistory - 1; change += 1) await cancelOrResume('sub_2', later(1));
    await move('sub_1', 'sub_2', later(2));
    expect(await verified()).to.deep.equal([true, 'sub_2']);
    await administration().rotateLicense('sub_2', null, aCall({ now: later(3) }));
    for (let change = 0; change < maxHistory; change += 1) await cancelOrResume('sub_2', later(4));
    const rotated = await find('sub_2');
    await move('sub_1', 'sub_2', later(5));
    expect(await find('sub_2')).to.deep.equal(rotated);
  });

  it('moves once, whoever moves it at the same time', async () => {
    await store().allEntitlements.add(granted([ended, current]), aCall());
    await Promise.all(Array.from({ length: 20 }, () => move('sub_1', 'sub_2')));
    expect([(await find('sub_1'))?.version, (await find('sub_2'))?.version]).to.deep.equal([2, 2]);
    expect(await verified()).to.deep.equal([true, 'sub_2']);
  });

  it('stays where it is, if the move is refused', async () => {
    const entitlements = [
      ended,
      current,
      aSubscription({ id: 'elsewhere', productId: 'prod_2' }),
      aSubscription({ id: 'bare', ...over }),
      aSubscription({ id: 'revoked', ...over, license: aLicense({ digest: 'r', revokedAt: later(-day) }) }),
    ];
    await store().allEntitlements.add(granted(entitlements), aCall());
    const codes = [];
    for (const [from, to] of [
      ['none', 'sub_2'],
      ['sub_1', 'none'],
      ['sub_1', 'elsewhere'],
      ['sub_2', 'sub_1'],
      ['sub_1', 'sub_1'],
      ['sub_2', 'sub_2'],
      ['bare', 'sub_2'],
      ['revoked', 'sub_2'],
    ] as const) {
      codes.push(await refusal(from, to));
    }
    expect(codes).to.deep.equal([
      'entitlement_not_found',
      'entitlement_not_found',
      'entitlement_not_found',
      'entitlement_ended',
      'entitlement_ended',
      'entitlement_not_ended',
      'license_not_found',
      'license_not_found',
    ]);
    expect(await Promise.all(entitlements.map(({ id }) => find(id)))).to.deep.equal(entitlements);
  });

  describe('by a grant with its key', () => {
    const grant = aOneTimeGrant({ productId: ended.productId, reference: 'order 1' });
    const grantWith = (id: string, given: Partial<Grant> = {}) =>
      administration().grantEntitlement({ grant: { ...grant, ...given } as Grant, id, licenseKey: ` ${key}` }, aCall());

    beforeEach(async () => {
      await administration().addProduct(ended.productId, 'One', aCall());
    });

    it('goes on with the new entitlement of a buyer who has come back', async () => {
      await store().allEntitlements.add(granted([ended]), aCall());
      await grantWith('sub_2');
      expect(await verified()).to.deep.equal([true, 'sub_2']);
      expect((await find('sub_1'))?.license?.revokedAt).to.deep.equal(noon);
      expect((await find('sub_2'))?.license?.createdAt).to.deep.equal(noon);
    });

    it('is not moved again by a move to the same entitlement, after the key was rotated there', async () => {
      await store().allEntitlements.add(granted([ended]), aCall());
      await grantWith('sub_2');
      await administration().rotateLicense('sub_2', null, aCall());
      const rotated = await find('sub_2');
      await move('sub_1', 'sub_2', later(1));
      expect(await find('sub_2')).to.deep.equal(rotated);
    });

    it('is refused as long as its entitlement has not ended, for a revoked one, and in another product', async () => {
      await administration().addProduct('prod_2', 'Two', aCall());
      await store().allEntitlements.add(granted([{ ...current, license }]), aCall());
      expect((await refusalOf(grantWith('new'))).code).to.equal('license_key_exists');
      await administration().runEntitlementCommand('sub_2', { kind: 'revoke' }, aCall());
      expect((await refusalOf(grantWith('new', { productId: 'prod_2' }))).code).to.equal('license_key_exists');
      await administration().revokeLicense('sub_2', aCall());
      expect((await refusalOf(grantWith('new'))).code).to.equal('license_key_exists');
      expect(await find('new')).to.equal(null);
    });

    it('stays where it is, if the grant is refused for its id or its reference', async () => {
      const other = aSubscription({ id: 'other', reference: 'order 1' });
      await store().allEntitlements.add(granted([ended, other]), aCall());
      expect((await refusalOf(grantWith('other'))).code).to.equal('entitlement_exists');
      expect((await refusalOf(grantWith('new'))).code).to.equal('reference_exists');
      expect(await find('sub_1')).to.deep.equal(ended);
    });

    it('is granted by an interrupted grant that is repeated', async () => {
      const left = { ...changed(ended), license: movedLicense(license, 'sub_1', 'sub_2', noon) };
      await store().allEntitlements.add(granted([left]), aCall());
      await grantWith('sub_2');
      expect(await verified()).to.deep.equal([true, 'sub_2']);
    });
  });
});
