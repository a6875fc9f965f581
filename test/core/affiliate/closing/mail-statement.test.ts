import { expect } from 'chai';
import { createAffiliateLink } from '../../../../core/affiliate/affiliate-links.ts';
import type { Affiliate } from '../../../../core/affiliate/affiliate.ts';
import { mailStatement } from '../../../../core/affiliate/closing/mail-statement.ts';
import { statementEvent } from '../../../../core/affiliate/statement/statement-event.ts';
import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import { createLink } from '../../../../core/buyer/manage-links.ts';
import type { MailResult, OutgoingMail } from '../../../../core/mail/mail-sender.port.ts';
import type { MailReport } from '../../../../core/mail/send-event-mail.ts';
import type { Delivery, DeliveryOutcome } from '../../../../core/webhook/send-delivery.ts';
import { anAffiliate, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, anEvent, aProduct, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { factsIn, readableWriter } from '../../../support/mail/mailed-sales.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';

const statement = aStatement();
const closing = aCall({ by: 'operator:opk_1', correlationId: 'of the closing' });
const closed = (of: Statement = statement) => statementEvent(of, closing, () => 'evt_1');
const delivered = (answer: string): DeliveryOutcome => ({ kind: 'delivered', answer, status: null });
const reported = { kind: 'statement', statementId: statement.id, eventId: 'evt_1' } as const;

describe('the mail of a statement', () => {
  const store = freshStore(memory.open);
  let sent: OutgoingMail[];
  let reports: MailReport[];
  let correlationIds: string[];
  let result: MailResult;
  let hasAffiliatePages: boolean;

  beforeEach(async () => {
    [sent, reports, correlationIds, result, hasAffiliatePages] = [[], [], [], { outcome: 'sent' }, true];
    await store().products.add(aProduct({ id: 'prod_1' }), aCall());
  });

  const send = (message: Delivery['message'] = closed()): Promise<DeliveryOutcome> => {
    const { affiliates, buyerLinks, products } = store();
    const newLink = createLink(
      buyerLinks,
      () => 'token',
      (text) => `digest of ${text}`,
    );
    return mailStatement({
      affiliates,
      products,
      createLink: createAffiliateLink(newLink, affiliates, () => 'https://latchkey.test'),
      writer: readableWriter,
      sender: {
        send: async (mail) => {
          sent.push(mail);
          return result;
        },
      },
      host: 'latchkey.test',
      hasAffiliatePages,
      newCall: (correlationId) => aCall({ correlationId }),
      report: (report, correlationId) => {
        reports.push(report);
        correlationIds.push(correlationId);
      },
    })({ url: '', isPublicOnly: false, keys: [], message });
  };
  const add = (overrides: Partial<Affiliate> = {}) => store().affiliates.replace(null, anAffiliate(overrides), aCall());

  it('goes to the affiliate, with a link of 30 days that no stranger can end', async () => {
    await add();
    expect(await send()).to.deep.equal(delivered('sent'));
    const [mail, ...others] = sent;
    expect(others).to.deep.equal([]);
    expect(mail).to.include({ to: 'ada@example.com', messageId: 'statement.evt_1@latchkey.test' });
    const url = 'https://latchkey.test/affiliates/links/token';
    const facts = factsIn(mail ?? { text: '{}' });
    expect(facts).to.deep.include({ link: { url, expiresAt: later(30 * day).toISOString() } });
    expect([facts['statement'], facts['product']]).to.have.nested.property('[0].id', statement.id);
    expect(facts['product']).to.have.property('id', 'prod_1');
    expect(await store().buyerLinks.find('digest of token', aCall())).to.include({
      subject: 'affiliate/ada',
      isForLostKeys: false,
    });
    expect(reports).to.deep.equal([{ ...reported, outcome: 'sent', code: null }]);
    expect(correlationIds).to.deep.equal(['of the closing']);
  });

  it('is none of anything but a closing with a balance to pay', async () => {
    await add();
    const paid = { ...statement, paid: { at: noon, method: 'paypal', reference: '7XK' }, revision: 2 };
    for (const message of [
      { id: 'evt_9', type: 'webhook.test', at: noon } as const,
      anEvent(aSubscription()),
      closed({ ...statement, total: -1, balance: -1 }),
      closed({ ...statement, total: 0, balance: 0 }),
      closed(paid),
    ])
      expect(await send(message)).to.deep.equal(delivered('not for mail'));
    expect([sent, reports]).to.deep.equal([[], []]);
  });

  for (const [who, erased] of [
    ['erased', { email: null, state: 'ended' }],
    ['unknown', { handle: 'bob' }],
  ] as const) {
    it(`is none to an affiliate who is ${who}`, async () => {
      await add(erased);
      expect(await send()).to.deep.equal(delivered('no_address'));
      expect([sent, reports]).to.deep.equal([[], [{ ...reported, outcome: 'no_address', code: null }]]);
    });
  }

  it('has no link where that would open nothing: without pages, and for one who has ended', async () => {
    await add({ state: 'ended' });
    await send();
    await add({ handle: 'bob' });
    hasAffiliatePages = false;
    await send(closed(aStatement({ handle: 'bob' })));
    expect(sent.map((mail) => [mail.to, factsIn(mail)['link']])).to.deep.equal([
      ['ada@example.com', null],
      ['bob@example.com', null],
    ]);
    expect(await store().buyerLinks.find('digest of token', aCall())).to.equal(null);
  });

  for (const [given, outcome] of [
    [
      { outcome: 'failed', code: '450 4.2.0' },
      { kind: 'failed', answer: '450 4.2.0', status: null, retryAfter: null },
    ],
    [{ outcome: 'refused', code: '550 5.1.1' }, delivered('refused')],
  ] as const) {
    it(`is reported as the mail server has answered: ${given.outcome}`, async () => {
      await add();
      result = given;
      expect(await send()).to.deep.equal(outcome);
      expect(reports).to.deep.equal([{ ...reported, ...given }]);
    });
  }
});
