import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { lastFourOf } from '../../../core/license/license-key.ts';
import { recordMailCases, recordRefused, settleRefused, skipCases } from '../../../core/mail/mail-cases.ts';
import { mailing } from '../../../core/mail/mailing.ts';
import { findReplaced } from '../../../core/mail/replaced-key.ts';
import { skipMails } from '../../../core/mail/skip-mails.ts';
import { newStream, streamName, type PendingEvents } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, later, noon } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { aStripeCase } from '../../support/stripe/stripe-cases.ts';
import { addSetAside } from '../../support/webhooks/builders.ts';

const parked = (...positions: readonly number[]): PendingEvents => ({ positions, attempt: 9, at: null });

describe('the cases of mails', () => {
  const store = freshStore(memory.open);
  const record = (isStopped?: () => boolean) => recordMailCases(store())(() => aCall(), isStopped);
  const all = async () =>
    (await store().stripeCases.page(null, 100, aCall())).map(({ id, kind, detail, since }) => [
      id,
      kind,
      detail,
      since,
    ]);
  const put = (id: string, kind: 'mail_refused' | 'mail_parked' | 'differs') =>
    store().stripeCases.put(aStripeCase({ id, kind }), aCall());
  const add = async (id: string, events: readonly Partial<EntitlementEvent>[], overrides = {}) => {
    const entitlement = aSubscription({ id, sequence: events.length, ...overrides });
    const logged = events.map((event, index) =>
      anEvent(entitlement, { id: `evt_${id}_${index}`, sequence: index + 1, ...event }),
    );
    const changeRecord = { ...aChangeRecord(entitlement), events: logged };
    await store().allEntitlements.add([{ entitlement, changeRecord }], aCall());
  };
  const open = (pending: Readonly<Record<string, PendingEvents>>, productId = 'prod_1') =>
    store().deliveryStreams.add(
      [{ ...newStream(streamName(mailing.endpoint, productId), 9), pending: new Map(Object.entries(pending)) }],
      aCall(),
    );

  const grant = { by: 'stripe', at: later(-5) } as const;

  it('name the first mail that is parked, and since when', async () => {
    await add('sub_1', [{ type: 'entitlement.renewed' }, grant, { type: 'license.rotated' }]);
    await add('sub_2', [grant]);
    await add('ent_1', [{ type: 'license.rotated' }]);
    await open({ sub_1: parked(1, 2, 3), sub_2: { ...parked(4), at: noon }, ent_1: parked(5) });
    await record();
    expect(await all()).to.deep.equal([['sub_1', 'mail_parked', 'grant', later(-5)]]);
    await record();
    expect(await all()).to.have.length(1);
  });

  it('name one that was set aside, and keep a case that there is', async () => {
    for (const id of ['sub_1', 'sub_2']) await add(id, [grant]);
    const stream = newStream(streamName(mailing.endpoint, 'prod_1'), 9);
    const pending = new Map([
      ['sub_1', parked(1)],
      ['sub_2', parked(2)],
    ]);
    await put('sub_2', 'mail_parked');
    await addSetAside(store().deliveryStreams, { ...stream, pending });
    await record();
    expect(await all()).to.deep.equal([
      ['sub_1', 'mail_parked', 'grant', later(-5)],
      ['sub_2', 'mail_parked', null, noon],
    ]);
  });

  it('are none of a sale that Stripe does not sell', async () => {
    await add('ent_1', [grant]);
    await add('sub_1', [grant]);
    await open({ ent_1: parked(2), sub_1: { ...parked(2), at: noon } });
    await record();
    expect(await all()).to.deep.equal([]);
  });

  it('are none of events that ask for no mail, or that the log has no more', async () => {
    await add('sub_1', [{ type: 'entitlement.renewed' }]);
    await add('sub_2', [grant]);
    await open({ sub_1: parked(1), sub_2: parked(9) });
    await record();
    expect(await all()).to.deep.equal([]);
  });

  it('stand beside one that was refused', async () => {
    await add('sub_1', [grant]);
    await open({ sub_1: parked(1) });
    await put('sub_1', 'mail_refused');
    await record();
    expect((await all()).map(([, kind]) => kind)).to.have.members(['mail_refused', 'mail_parked']);
  });

  it('are removed once the mail is not parked any more', async () => {
    await add('sub_1', [grant]);
    await add('sub_2', [grant]);
    await add('sub_3', [grant], { productId: 'prod_2' });
    await open({ sub_1: { ...parked(1), at: noon } });
    for (const id of ['sub_1', 'sub_2', 'sub_3', 'sub_9']) await put(id, 'mail_parked');
    await put('sub_2', 'differs');
    await record();
    expect((await all()).map(([id, kind]) => [id, kind])).to.deep.equal([['sub_2', 'differs']]);
  });

  it('of a refused mail stay until the sale has ended', async () => {
    await add('sub_1', [grant]);
    await add('sub_2', [grant], { hold: { kind: 'revoked', at: noon } });
    for (const id of ['sub_1', 'sub_2', 'sub_9']) await put(id, 'mail_refused');
    await record();
    expect((await all()).map(([id]) => id)).to.deep.equal(['sub_1']);
  });

  it('are left to the next time when the process stops', async () => {
    await add('sub_1', [grant]);
    await open({ sub_1: parked(1) });
    await put('sub_9', 'mail_refused');
    await record(() => true);
    expect((await all()).map(([id]) => id)).to.deep.equal(['sub_9']);
  });

  it('say what was refused, and are settled by a buyer who was reached', async () => {
    await recordRefused(store().stripeCases, 'sub_1', 'ending', 'no_address', aCall());
    await put('sub_1', 'mail_parked');
    expect(await all()).to.deep.include(['sub_1', 'mail_refused', 'ending no_address', noon]);
    await settleRefused(store().stripeCases, 'sub_1', aCall({ products: new Set(['prod_2']) }));
    expect((await all()).map(([, kind]) => kind)).to.deep.equal(['mail_parked']);
  });

  it('go with the mails that are left out, of one sale or of all', async () => {
    for (const id of ['sub_1', 'sub_2', 'sub_3'])
      for (const kind of ['mail_refused', 'mail_parked', 'differs'] as const) await put(id, kind);
    await skipCases(store().stripeCases, 'sub_1', aCall());
    expect((await all()).filter(([id]) => id === 'sub_1').map(([, kind]) => kind)).to.deep.equal(['differs']);
    expect(await all()).to.have.length(7);
    await skipCases(store().stripeCases, null, aCall());
    expect((await all()).map(([, kind]) => kind)).to.deep.equal(['differs', 'differs', 'differs']);
  });

  it('are counted by the mails that are left out', async () => {
    const skip = skipMails(store().deliveryStreams, store().stripeCases);
    await open({ sub_1: parked(1, 2), sub_2: parked(3), sub_3: { ...parked(4), at: noon } });
    await open({ sub_4: parked(1) }, 'prod_2');
    await put('sub_1', 'mail_parked');
    expect([await skip('sub_1', aCall()), await all()]).to.deep.equal([2, []]);
    expect(await skip('sub_3', aCall())).to.equal(0);
    expect([await skip(null, aCall()), await skip(null, aCall())]).to.deep.equal([2, 0]);
  });
});

describe('mails that are left out', () => {
  const store = freshStore(memory.open);

  it('may have been set aside, as far as they are parked', async () => {
    const skip = skipMails(store().deliveryStreams, store().stripeCases);
    const name = streamName(mailing.endpoint, 'prod_1');
    const waiting = { ...parked(9), at: later(9) };
    const pending = new Map([
      ['sub_1', parked(1, 2)],
      ['sub_2', parked(3)],
      ['sub_3', parked(4)],
      ['sub_4', waiting],
    ]);
    await addSetAside(store().deliveryStreams, { ...newStream(name, 9), pending });
    expect(await skip('sub_1', aCall())).to.equal(2);
    const left = async () => (await store().deliveryStreams.find(name, aCall(), 'all'))?.pending ?? new Map();
    expect(new Set((await left()).keys())).to.deep.equal(new Set(['sub_2', 'sub_3', 'sub_4']));
    expect(await skip(null, aCall())).to.equal(2);
    expect(new Map(await left())).to.deep.equal(new Map([['sub_4', waiting]]));
  });
});

describe('the key before another one', () => {
  const store = freshStore(memory.open);
  const derive = (id: string) => deriveLicenseKey(store().licenseSecrets, nodePlatform)(id, aCall());
  const license = { lastFour: 'WXYZ' } as NonNullable<EntitlementEvent['license']>;
  const rotated = { type: 'license.rotated', license } as const;
  /** The end of the key before the last of these events. */
  const before = async (...events: readonly Partial<EntitlementEvent>[]) => {
    const entitlement = aSubscription({ id: 'sub_1', sequence: events.length });
    const logged = events.map((event, index) =>
      anEvent(entitlement, { id: `evt_${index}`, sequence: index + 1, ...event }),
    );
    await store().allEntitlements.add(
      [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events: logged } }],
      aCall(),
    );
    const last = logged.at(-1);
    if (last === undefined) throw new Error('there is no event');
    return findReplaced(store().events, (id) => derive(id))(last, entitlement, aCall());
  };
  const derived = async () => lastFourOf(await derive('sub_1'));

  it('is that of the last event of a license', async () => {
    const older = { ...rotated, license: { ...license, lastFour: 'AAAA' } };
    expect(await before({ by: 'stripe' }, older, rotated, {}, rotated)).to.equal('WXYZ');
  });

  it('is the derived one of a sale that had no other', async () => {
    expect(await before({ by: 'stripe' }, { type: 'entitlement.renewed' }, rotated)).to.equal(await derived());
  });

  it('is unknown where the grant was not a sale, or the log does not have it all', async () => {
    expect(await before({ by: 'command:ada' }, rotated)).to.equal(null);
  });

  it('is unknown where another event came first', async () => {
    expect(await before({ by: 'stripe', type: 'entitlement.renewed' }, rotated)).to.equal(null);
  });

  it('is unknown where an event is missing', async () => {
    expect(await before({ by: 'stripe' }, { ...rotated, sequence: 3 })).to.equal(null);
    expect(await derived()).to.be.a('string');
  });

  it('is unknown where the first event is missing', async () => {
    expect(await before({ by: 'stripe', sequence: 2 }, { ...rotated, sequence: 3 })).to.equal(null);
  });
});
