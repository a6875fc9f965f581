import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import { authenticateKey, authorizeKey } from '../../../../core/key/check-key.ts';
import { keyPositionIn } from '../../../../core/key/key-cursor.ts';
import { operatorKeyKind } from '../../../../core/key/operator/operator-key.ts';
import type { OperatorKeyRequest } from '../../../../core/key/operator/operator-keys.ts';
import { cursorAt, type ListName } from '../../../../core/paging/cursor.ts';
import { aCall, anAppKey, anOperatorKey, day, hour, later, noon } from '../../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../../support/failing.ts';
import { range } from '../../../support/range.ts';
import { crc32, sha256 } from '../../../support/run/secrets.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../../support/thrown.ts';

const request: OperatorKeyRequest = {
  id: null,
  name: 'Billing',
  products: null,
  scopes: ['admin:read'],
  expiresAt: null,
};

describe('keyPositionIn', () => {
  it('refuses a cursor without an id or without an instant', () => {
    const list: ListName = ['operator keys'];
    const cursorOf = (...position: readonly string[]): string => cursorAt(list, position);
    expect(keyPositionIn(list, cursorOf(String(noon.getTime()), 'opk_1'))).to.deep.equal({
      createdAt: noon,
      id: 'opk_1',
    });
    for (const cursor of [cursorOf(String(noon.getTime())), cursorOf('noon', 'opk_1'), cursorOf('noon')]) {
      expect(() => keyPositionIn(list, cursor)).to.throw('invalid_parameter');
    }
  });
});

describe('keys that a caller names', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);

  it('issue an operator key that opens what its scopes allow, and nothing after its revocation', async () => {
    const { issued, key } = await administration().issueOperatorKey(request, aCall());
    expect(issued.id).to.match(/^opk_[0-9A-Za-z]{22}$/);
    const authenticate = authenticateKey(operatorKeyKind, store().operatorKeys, sha256, crc32);
    expect(await authenticate(key ?? '', aCall())).to.deep.equal(issued);
    authorizeKey(store().operatorKeys)(issued, 'admin:read', aCall());
    expect(() => authorizeKey(store().operatorKeys)(issued, 'admin:access', aCall())).to.throw('insufficient_scope');
    const revoked = await administration().revokeOperatorKey(issued.id, aCall());
    expect([revoked.key.revokedAt, revoked.changed]).to.deep.equal([noon, true]);
    expect(await administration().revokeOperatorKey(issued.id, aCall({ now: later(1) }))).to.deep.include({
      changed: false,
    });
    expect((await refusalOf(authenticate(key ?? '', aCall()))).code).to.equal('invalid_operator_key');
  });

  it('take no app key for an operator key', async () => {
    await store().allAppKeys.add(anAppKey({ digest: sha256('svc_op_live_x') }), aCall());
    const found = authenticateKey(operatorKeyKind, store().operatorKeys, sha256, crc32)('svc_op_live_x', aCall());
    expect((await refusalOf(found)).code).to.equal('invalid_operator_key');
  });

  it('issue one key for twenty requests with one id at once, and show it once', async () => {
    const answers = await Promise.all(
      range(20).map(() => administration().issueOperatorKey({ ...request, id: 'opk_mine' }, aCall())),
    );
    expect(answers.filter(({ key }) => key !== null)).to.have.lengthOf(1);
    expect(new Set(answers.map(({ issued }) => issued.digest)).size).to.equal(1);
    const other = administration().issueOperatorKey({ ...request, id: 'opk_mine', name: 'Other' }, aCall());
    expect((await refusalOf(other)).code).to.equal('operator_key_exists');
  });

  it('repeat the issue of a key that is limited to the same products, and no other', async () => {
    for (const id of ['prod_1', 'prod_2']) await administration().addProduct(id, id, aCall());
    const terms = { ...request, id: 'opk_mine', products: ['prod_1', 'prod_2'] };
    const { issued } = await administration().issueOperatorKey(terms, aCall());
    expect(issued.products).to.deep.equal(['prod_1', 'prod_2']);
    expect(await administration().issueOperatorKey(terms, aCall())).to.deep.equal({ issued, key: null });
    for (const products of [null, ['prod_1']]) {
      const other = administration().issueOperatorKey({ ...terms, products }, aCall());
      expect((await refusalOf(other)).code).to.equal('operator_key_exists');
    }
    const codes = [
      administration().issueOperatorKey({ ...terms, id: 'opk_2', products: ['prod_1', 'none'] }, aCall()),
      administration().issueOperatorKey({ ...terms, id: 'opk_2', scopes: ['admin:read', 'admin:waitlist'] }, aCall()),
    ].map(async (each) => (await refusalOf(each)).code);
    expect(await Promise.all(codes)).to.deep.equal(['product_not_found', 'limited_key']);
    const rotated = await administration().rotateOperatorKey(
      { id: 'opk_mine', newId: 'opk_next', overlap: hour, expiresAt: null },
      aCall(),
    );
    expect(rotated.issued.products).to.deep.equal(['prod_1', 'prod_2']);
  });

  it('issue no app key with the id of another product, and return the known one of this product', async () => {
    for (const id of ['prod_1', 'prod_2']) await administration().addProduct(id, id, aCall());
    const terms = { productId: 'prod_1', scopes: [], expiresAt: null };
    const { issued } = await administration().issueAppKey({ id: 'mine', ...terms }, aCall());
    expect(await administration().issueAppKey({ id: 'mine', ...terms }, aCall())).to.deep.equal({
      issued,
      key: null,
    });
    const other = administration().issueAppKey({ id: 'mine', ...terms, productId: 'prod_2' }, aCall());
    expect((await refusalOf(other)).code).to.equal('app_key_exists');
  });

  it('are issued only with an expiry later than now', async () => {
    const issue = (expiresAt: Date) => administration().issueOperatorKey({ ...request, expiresAt }, aCall());
    for (const early of [noon, later(-1)]) expect((await refusalOf(issue(early))).code).to.equal('expiry_too_early');
    expect((await issue(later(1))).issued.expiresAt).to.deep.equal(later(1));
    expect(
      (await administration().issueOperatorKey({ ...request, scopes: ['admin:waitlist'] }, aCall())).key,
    ).not.to.equal(null);
  });

  it('return the key of an id also after the expiry that it was issued with', async () => {
    const terms = { ...request, id: 'opk_mine', expiresAt: later(hour) };
    const { issued } = await administration().issueOperatorKey(terms, aCall());
    const again = await administration().issueOperatorKey(terms, aCall({ now: later(day) }));
    expect(again).to.deep.equal({ issued, key: null });
  });

  it('rotate and revoke no unknown key, and rotate none that has ended', async () => {
    await store().allOperatorKeys.add(anOperatorKey({ expiresAt: noon }), aCall());
    const rotate = (id: string, newId: string | null) =>
      administration().rotateOperatorKey({ id, newId, overlap: hour, expiresAt: null }, aCall());
    const refused = [rotate('opk_1', null), rotate('opk_1', 'opk_2'), rotate('none', 'opk_2')];
    const codes = await Promise.all(
      [...refused, administration().revokeOperatorKey('none', aCall())].map(
        async (each) => (await refusalOf(each)).code,
      ),
    );
    expect(codes).to.deep.equal([
      'operator_key_ended',
      'operator_key_ended',
      'operator_key_not_found',
      'operator_key_not_found',
    ]);
    expect(await store().allOperatorKeys.find('opk_2', aCall())).to.equal(null);
  });

  it('rotate once for twenty requests with one new id, and end the old key once', async () => {
    await store().allOperatorKeys.add(anOperatorKey(), aCall());
    const rotation = { id: 'opk_1', newId: 'opk_2', overlap: hour, expiresAt: null };
    const answers = await Promise.all(range(20).map(() => administration().rotateOperatorKey(rotation, aCall())));
    expect(answers.filter(({ key }) => key !== null)).to.have.lengthOf(1);
    const late = await administration().rotateOperatorKey(rotation, aCall({ now: later(day) }));
    expect(late).to.deep.equal({ issued: answers[0]?.issued, key: null });
    const page = { after: null, limit: 9 };
    expect(await store().allOperatorKeys.page(page, aCall())).to.deep.equal([
      anOperatorKey({ expiresAt: later(hour) }),
      answers[0]?.issued,
    ]);
  });

  for (const when of moments) {
    it(`complete a rotation whose end of the old key failed ${when} it took effect`, async () => {
      await store().allOperatorKeys.add(anOperatorKey(), aCall());
      const allOperatorKeys = failing(store().allOperatorKeys, { method: 'end', nth: 1, when });
      const rotation = { id: 'opk_1', newId: 'opk_2', overlap: hour, expiresAt: null };
      const { rotateOperatorKey } = administrationOf({ ...store(), allOperatorKeys }, nodePlatform);
      expect(await thrownBy(rotateOperatorKey(rotation, aCall()))).to.be.instanceOf(InjectedFault);
      expect(await rotateOperatorKey(rotation, aCall({ now: later(5) }))).to.include({ key: null });
      const old = await store().allOperatorKeys.find('opk_1', aCall());
      expect(old?.expiresAt).to.deep.equal(later(hour));
    });
  }

  it('do not rotate into a key of other terms, nor into the old one itself', async () => {
    await store().allOperatorKeys.add(anOperatorKey(), aCall());
    await store().allOperatorKeys.add(anOperatorKey({ id: 'opk_2', digest: '2', name: 'Other' }), aCall());
    await store().allOperatorKeys.add(anOperatorKey({ id: 'opk_3', digest: '3', scopes: ['admin:read'] }), aCall());
    for (const newId of ['opk_1', 'opk_2', 'opk_3']) {
      const rotation = { id: 'opk_1', newId, overlap: hour, expiresAt: null };
      const { code } = await refusalOf(administration().rotateOperatorKey(rotation, aCall()));
      expect(code).to.equal('operator_key_exists');
    }
    expect(await store().allOperatorKeys.find('opk_1', aCall())).to.deep.equal(anOperatorKey());
  });

  it('are listed page by page with opaque cursors, which no other list takes', async () => {
    await administration().addProduct('prod_1', 'One', aCall());
    const keys = range(5).map((index) =>
      anOperatorKey({ id: `opk_${index}`, digest: `${index}`, createdAt: later(index) }),
    );
    for (const key of keys) await store().allOperatorKeys.add(key, aCall());
    const first = await administration().listOperatorKeys({ after: null, limit: 2 }, aCall());
    const second = await administration().listOperatorKeys({ after: first.next, limit: 3 }, aCall());
    expect([first.items, second.items, second.next]).to.deep.equal([keys.slice(0, 2), keys.slice(2), null]);
    expect(first.next).to.match(/^[A-Za-z0-9_-]+$/);
    for (const after of [first.next, 'x', '', '!', `${first.next}A`]) {
      const { code } = await refusalOf(administration().listAppKeys('prod_1', { after, limit: 2 }, aCall()));
      expect(code).to.equal('invalid_parameter');
    }
    expect(await Array.fromAsync(administration().everyOperatorKey(aCall))).to.deep.equal(keys);
  });
});
