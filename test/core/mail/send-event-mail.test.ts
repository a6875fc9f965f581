import { expect } from 'chai';
import { saleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { Call } from '../../../core/call.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { isMailEnd, mailing, mailOf, statementToMail } from '../../../core/mail/mailing.ts';
import { sendEventMail, type EventMailParts, type MailReport } from '../../../core/mail/send-event-mail.ts';
import type { Delivery, DeliveryOutcome } from '../../../core/webhook/send-delivery.ts';
import { aSale, aStatement } from '../../support/affiliates/builders.ts';
import { aCall, aLicense, anEvent, aSubscription, day, later, noon } from '../../support/builders.ts';
import { factsIn, MailedSales, readableWriter } from '../../support/mail/mailed-sales.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';

const sale = aSubscription({ id: 'sub_1' });
const end = sale.currentPeriodEnd;
const canceled = { cancellation: { at: end, requestedAt: noon } };
const grant = anEvent(sale, { id: 'evt_1', by: 'stripe', correlationId: 'evt_of_stripe' });
const rotation = anEvent(sale, { id: 'evt_2', type: 'license.rotated', by: 'operator:opk_1', at: later(-5) });
const ending = anEvent(sale, {
  id: 'evt_3',
  type: 'entitlement.ending_soon',
  by: 'clock',
  correlationId: null,
  ending: { reason: 'canceled', endsAt: end },
});

const delivered = (answer: string): DeliveryOutcome => ({ kind: 'delivered', answer, status: null });
const of = (overrides: Partial<EntitlementEvent>, id = 'sub_1') => anEvent(aSubscription({ id }), overrides);
const ends = (reason: 'canceled' | 'fixed_term' | 'trial' | 'unpaid') =>
  of({ type: 'entitlement.ending_soon', ending: { reason, endsAt: end } });

describe('the mail of an event', () => {
  const store = freshStore(memory.open);
  let sales: MailedSales;
  let parts: EventMailParts;
  let reports: [MailReport, string][];
  let calls: Call[];

  beforeEach(async () => {
    sales = await MailedSales.open(store());
    [reports, calls] = [[], []];
    parts = {
      entitlements: store().allEntitlements,
      products: store().products,
      isSold: sales.isSold,
      readKey: sales.readKey,
      findReplaced: async ({ id }) => `before ${id}`,
      addresses: sales,
      cases: store().stripeCases,
      writer: readableWriter,
      sender: { send: sales.send },
      host: 'latchkey.test',
      newCall: (correlationId) => {
        const call = aCall({ correlationId, now: later(calls.length) });
        calls.push(call);
        return call;
      },
      report: (report, correlationId) => void reports.push([report, correlationId]),
    };
  });

  const send = (message: Delivery['message']): Promise<DeliveryOutcome> =>
    sendEventMail(parts)({ url: '', isPublicOnly: false, keys: [], message });
  const answerTo = async (event: EntitlementEvent): Promise<string> => (await send(event)).answer;

  it('of a grant has the key that works now, at the address that Stripe has', async () => {
    const { productId } = await sales.add();
    expect(await send(grant)).to.deep.equal(delivered('sent'));
    const [mail, ...others] = sales.sent;
    expect(others).to.deep.equal([]);
    expect(mail).to.include({ to: 'Ada@example.com', messageId: 'grant.evt_1@latchkey.test', subject: 'key' });
    const facts = factsIn(mail ?? { text: '{}' });
    expect(facts).to.deep.include({ licenseKey: await sales.keyOf('sub_1'), now: noon.toISOString() });
    expect([facts['product'], facts['entitlement']]).to.have.nested.property('[0].id', productId);
    expect(facts['entitlement']).to.have.property('id', 'sub_1');
    const report = { kind: 'grant', outcome: 'sent', entitlementId: 'sub_1', eventId: 'evt_1', code: null };
    expect(reports).to.deep.equal([[report, 'evt_of_stripe']]);
  });

  it('is none for what asks for no mail', async () => {
    await sales.add();
    const test = { id: 'evt_9', type: 'webhook.test', at: noon } as const;
    const tier = {
      id: 'evt_8',
      type: 'tier.changed',
      at: noon,
      sequence: 1,
      by: 'command:ada',
      correlationId: 'of-a-tier',
      productId: 'prod_1',
      tierId: 'pro',
      tier: null,
      previous: null,
    } as const;
    for (const message of [
      test,
      tier,
      { ...grant, by: 'command:ada' } as const,
      anEvent(sale, { type: 'entitlement.renewed' }),
    ])
      expect(await send(message)).to.deep.equal(delivered('not for mail'));
    expect([sales.sent, reports, calls]).to.deep.equal([[], [], []]);
  });

  it('of a grant is none where no key may be mailed any more', async () => {
    expect(await answerTo(grant)).to.equal('not_sold_by_stripe');
    await sales.add({ license: null });
    expect(await answerTo(grant)).to.equal('no_license');
    await store().products.put({ id: 'prod_1', name: 'Product', createdAt: noon, mailKeys: false }, aCall());
    expect(await answerTo(grant)).to.equal('keys_not_mailed');
    await store().products.put({ id: 'prod_1', name: 'Product', createdAt: noon }, aCall());
    const others: readonly (readonly [Parameters<MailedSales['add']>[0], string])[] = [
      [{ id: 'sub_2', license: aLicense({ digest: 'another' }) }, 'license_replaced'],
      [{ id: 'sub_3', license: aLicense({ revokedAt: noon }) }, 'license_revoked'],
      [{ id: 'sub_4', hold: { kind: 'revoked', at: noon } }, 'entitlement_ended'],
    ];
    for (const [overrides, answer] of others) {
      const { id } = await sales.add(overrides);
      expect(await answerTo({ ...grant, entitlement: { ...grant.entitlement, id } })).to.equal(answer);
    }
    expect([sales.sent, reports]).to.deep.equal([[], []]);
  });

  it('of a grant is sent for a product that nobody knows', async () => {
    await sales.add({ productId: 'prod_9' });
    expect(await answerTo(grant)).to.equal('sent');
    expect(factsIn(sales.sent[0] ?? { text: '{}' })).to.include({ product: null });
  });

  it('of another key has the end of the one before, and settles a mail that was refused', async () => {
    await sales.add();
    await sales.refuse('sub_1');
    expect(await answerTo(rotation)).to.equal('sent');
    const [mail] = sales.sent;
    expect(mail).to.include({ subject: 'replaced', messageId: 'replaced.evt_2@latchkey.test' });
    expect(factsIn(mail ?? { text: '{}' })).to.include({
      replacedAt: later(-5).toISOString(),
      oldLastFour: 'before evt_2',
    });
    expect(await sales.cases()).to.deep.equal([]);
    expect(reports.map(([{ kind, outcome }]) => [kind, outcome])).to.deep.equal([['replaced', 'sent']]);
  });

  it('of a grant leaves the case of another mail', async () => {
    await sales.add();
    await sales.refuse('sub_1');
    await send(grant);
    expect(await sales.cases()).to.have.length(1);
  });

  it('of another key is none after the end, or where nothing is sold', async () => {
    await sales.add({ hold: { kind: 'revoked', at: noon } });
    expect(await answerTo(rotation)).to.equal('entitlement_ended');
    await store().priceMap.remove('price_1', aCall());
    expect(await answerTo(rotation)).to.equal('not_sold_by_stripe');
    expect(sales.sent).to.deep.equal([]);
  });

  it('of an end says when it is', async () => {
    await sales.add(canceled);
    expect(await answerTo(ending)).to.equal('sent');
    const [mail] = sales.sent;
    expect(mail).to.include({ subject: 'ending', messageId: 'ending.evt_3@latchkey.test' });
    expect(factsIn(mail ?? { text: '{}' })).to.deep.include({
      ending: { reason: 'canceled', endsAt: end.toISOString() },
      now: noon.toISOString(),
    });
    // The clock has no correlation id of its own.
    expect(calls.map(({ correlationId }) => correlationId)).to.deep.equal(['evt_3']);
  });

  it('of an end is none when it has moved, is not of its kind, or access is suspended', async () => {
    const moved = { cancellation: { at: later(day), requestedAt: noon } };
    const others: readonly Parameters<MailedSales['add']>[0][] = [
      { id: 'sub_2', ...moved },
      { id: 'sub_3', cancellation: null },
      { id: 'sub_4', ...canceled, hold: { kind: 'suspended' } },
      { id: 'sub_5', cancellation: null, graceUntil: end },
      { id: 'sub_6', cancellation: null, graceUntil: end, standing: 'trialing' },
    ];
    for (const overrides of others) {
      const { id } = await sales.add(overrides);
      expect(await answerTo({ ...ending, entitlement: { ...ending.entitlement, id } }), id).to.equal('end_has_moved');
    }
  });

  it('of an end is none where the product has not asked for it', async () => {
    await sales.add(canceled);
    await store().products.put({ id: 'prod_1', name: 'Product', createdAt: noon, mailEnding: false }, aCall());
    expect(await answerTo(ending)).to.equal('ending_not_mailed');
    await sales.add({ id: 'sub_2', productId: 'prod_9', ...canceled });
    expect(await answerTo({ ...ending, entitlement: { ...ending.entitlement, id: 'sub_2' } })).to.equal(
      'ending_not_mailed',
    );
  });

  it('is tried again where Stripe or the server did not answer', async () => {
    await sales.add();
    sales.address = { kind: 'failed', code: 'status 429', retryAfter: 7000 };
    expect(await send(grant)).to.deep.equal({ kind: 'failed', answer: 'status 429', status: null, retryAfter: 7000 });
    sales.address = { kind: 'read', address: 'ada@example.com' };
    sales.result = { outcome: 'failed', code: 'timeout' };
    expect(await send(grant)).to.deep.equal({ kind: 'failed', answer: 'timeout', status: null, retryAfter: null });
    sales.result = { outcome: 'unconfirmed', code: 'closed' };
    expect(await send(grant)).to.deep.equal({
      kind: 'failed',
      answer: 'may have arrived (closed)',
      status: null,
      retryAfter: 1_800_000,
    });
    expect(reports.map(([{ outcome, code }]) => [outcome, code])).to.deep.equal([
      ['failed', 'status 429'],
      ['failed', 'timeout'],
      ['unconfirmed', 'closed'],
    ]);
    expect(await sales.cases()).to.deep.equal([]);
  });

  it('is given up with a case for a person where nobody has an address, or the server knows none', async () => {
    await sales.add();
    sales.address = { kind: 'read', address: null };
    expect(await send(grant)).to.deep.equal(delivered('no_address'));
    expect([sales.sent, await sales.cases()]).to.deep.equal([[], ['mail_refused grant no_address']]);
    sales.address = { kind: 'read', address: 'ada@example.com' };
    sales.result = { outcome: 'refused', code: '5.1.1' };
    expect(await send(rotation)).to.deep.equal(delivered('refused'));
    expect(await sales.cases()).to.deep.equal(['mail_refused replaced refused']);
    expect(reports.map(([{ outcome, code }]) => [outcome, code])).to.deep.equal([
      ['no_address', null],
      ['refused', '5.1.1'],
    ]);
    // The case is written with a call that the sender has not used up.
    expect(calls.map(({ correlationId }) => correlationId)).to.deep.equal([
      'evt_of_stripe',
      rotation.correlationId,
      rotation.correlationId,
    ]);
  });

  it('is decided again once the address is there', async () => {
    await sales.add();
    const addresses = interposed<EventMailParts['addresses']>(sales, () =>
      store().products.put({ id: 'prod_1', name: 'Product', createdAt: noon, mailKeys: false }, aCall()),
    );
    parts = { ...parts, addresses };
    expect(await answerTo(grant)).to.equal('keys_not_mailed');
    expect([sales.sent, reports]).to.deep.equal([[], []]);
  });

  it('stops with the delivery', async () => {
    await sales.add();
    const { signal } = new AbortController();
    let seen: AbortSignal | undefined;
    const sender: EventMailParts['sender'] = {
      send: async (mail, given) => {
        seen = given;
        return sales.send(mail);
      },
    };
    await sendEventMail({ ...parts, sender })({ url: '', isPublicOnly: false, keys: [], message: grant, signal });
    expect(seen).to.equal(signal);
  });
});

describe('the mail as a receiver', () => {
  it('wants what asks for a mail, of sales at Stripe alone', () => {
    const events: readonly (readonly [EntitlementEvent, ReturnType<typeof mailOf>])[] = [
      [of({ by: 'stripe' }), 'grant'],
      [of({ by: 'stripe' }, 'cs_1'), 'grant'],
      [of({ by: 'stripe' }, 'ent_1'), null],
      [of({ by: 'stripe' }, 'a_sub_1'), null],
      [of({ by: 'command:ada' }), null],
      [of({ type: 'license.rotated' }), 'replaced'],
      [of({ type: 'license.rotated' }, 'ent_1'), null],
      [ends('canceled'), 'ending'],
      [ends('fixed_term'), 'ending'],
      [ends('trial'), null],
      [ends('unpaid'), null],
      [of({ type: 'entitlement.renewed', by: 'stripe' }), null],
    ];
    for (const [event, kind] of events) {
      expect(mailOf(event), `${event.type} of ${event.entitlement.id}`).to.equal(kind);
      expect(mailing.wants(event)).to.equal(kind !== null);
    }
  });

  it('wants the statements that were closed with a balance to pay, alone', () => {
    const paid = { at: noon, method: 'paypal', reference: '7XK' };
    for (const [statement, isWanted] of [
      [aStatement(), true],
      [aStatement({ total: 0, balance: 0 }), false],
      [aStatement({ total: -5, balance: -5 }), false],
      [aStatement({ paid, revision: 2 }), false],
      [aStatement({ revision: 3 }), false],
    ] as const) {
      const event = statementEvent(statement, aCall(), () => 'evt_1');
      expect([statementToMail(event), mailing.wants(event)]).to.deep.equal([isWanted ? statement : null, isWanted]);
      expect(mailing.maxAge?.(event)).to.equal(isWanted ? 3 * day : Infinity);
    }
    const sold = saleEvent(aSale(), aCall(), () => 'evt_1');
    expect([mailing.wants(sold), mailing.maxAge?.(sold)]).to.deep.equal([false, Infinity]);
  });

  it('parks what is too old, but never an end that is to come', () => {
    const ages = [of({ by: 'stripe' }), of({ type: 'license.rotated' }), ends('canceled'), of({ by: 'command:ada' })];
    expect(ages.map((event) => mailing.maxAge?.(event))).to.deep.equal([3 * day, 3 * day, Infinity, Infinity]);
    const { endpoint, sendsState } = mailing;
    expect([endpoint.id, endpoint.types, sendsState]).to.deep.equal([
      '@mail',
      ['entitlement.granted', 'license.rotated', 'entitlement.ending_soon', 'statement.closed'],
      false,
    ]);
  });

  it('knows its answers from those of attempts', () => {
    for (const answer of ['sent', 'refused', 'no_address', 'no_license', 'end_has_moved', 'keys_not_mailed'])
      expect(isMailEnd(answer), answer).to.equal(true);
    for (const answer of ['failed', 'unconfirmed', 'timeout', '', null]) expect(isMailEnd(answer)).to.equal(false);
  });
});
