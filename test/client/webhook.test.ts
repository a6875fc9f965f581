import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { messageBody } from '../../adapters/http/webhooks/webhook-message.ts';
import {
  verifyWebhook,
  WebhookVerificationError,
  type SaleAttributed,
  type StatementChanged,
  type TierChanged,
} from '../../client/index.ts';
import { saleEvent } from '../../core/affiliate/sale/sale-event.ts';
import { statementEvent } from '../../core/affiliate/statement/statement-event.ts';
import { tierEvent } from '../../core/tier/tier-event.ts';
import { aSale, aStatement } from '../support/affiliates/builders.ts';
import { aCall, day, noon } from '../support/builders.ts';
import { thrownBy } from '../support/thrown.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const now = new Date('2026-07-18T12:00:00.000Z');
const timestamp = String(now.getTime() / 1000);
const body = '{"type":"entitlement.granted","timestamp":"2026-07-18T12:00:00.000Z","data":{"tierName":"Größe ☃"}}';

/** The headers that the reference library of Standard Webhooks makes. */
function signed(by = secret, at = now, content = body): Record<string, string> {
  const signature = new Webhook(by).sign('evt_1', at, content);
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at.getTime() / 1000), 'webhook-signature': signature };
}

describe('verifyWebhook', () => {
  const event = { id: 'evt_1', ...(JSON.parse(body) as object) };

  it('accepts what the reference library signs, as a text or as bytes', async () => {
    expect(await verifyWebhook(body, signed(), secret, { now })).to.deep.equal(event);
    expect(await verifyWebhook(Buffer.from(body), signed(), secret, { now })).to.deep.equal(event);
  });

  it('returns the change of a tier to those who name it, in the type too', async () => {
    const terms = { deviceLimit: 3, features: { sso: true }, trial: '14d' };
    const tier = { productId: 'prod_1', id: 'pro', terms: { ...terms, trial: 14 * day }, revision: 1 };
    const content = messageBody(tierEvent(null, tier, aCall({ by: 'operator:opk_1' }), () => 'evt_1'));
    const headers = signed(secret, now, content);
    const message = await verifyWebhook<TierChanged>(content, headers, secret, { now });
    if (message.type !== 'tier.changed') throw new Error(message.type);
    const { id, data }: TierChanged = message;
    const { correlationId, ...facts } = data;
    expect([id, typeof correlationId]).to.deep.equal(['evt_1', 'string']);
    const shown: Omit<TierChanged['data'], 'correlationId'> = {
      sequence: 1,
      by: 'operator:opk_1',
      productId: 'prod_1',
      tierId: 'pro',
      tier: terms,
      previous: null,
    };
    expect(facts).to.deep.equal(shown);
    const others = await verifyWebhook(body, signed(), secret, { now });
    // @ts-expect-error Those who do not name it need not expect it.
    expect(others.type === 'tier.changed').to.equal(false);
  });

  it('returns the change of a statement to those who name it, in the type too', async () => {
    const paid = { at: noon, method: 'sepa', reference: '7' };
    const statement = aStatement({ paid, revision: 2 });
    const content = messageBody(statementEvent(statement, aCall({ by: 'operator:opk_1' }), () => 'evt_1'));
    const headers = signed(secret, now, content);
    const message = await verifyWebhook<StatementChanged>(content, headers, secret, { now });
    if (message.type !== 'statement.paid') throw new Error(message.type);
    const { revision: _, ...facts } = statement;
    const shown: StatementChanged['data']['statement'] = {
      ...facts,
      state: 'paid',
      closedAt: statement.closedAt.toISOString(),
      paid: { ...paid, at: noon.toISOString() },
    };
    expect([message.id, message.data.sequence, message.data.statement]).to.deep.equal(['evt_1', 2, shown]);
  });

  it('returns the sale of an affiliate to those who name it, in the type too', async () => {
    const sale = aSale({ entitlementId: 'cs_test_a1Secret' });
    const content = messageBody(saleEvent(sale, aCall({ by: 'stripe' }), () => 'evt_1'));
    const message = await verifyWebhook<SaleAttributed>(content, signed(secret, now, content), secret, { now });
    if (message.type !== 'sale.attributed') throw new Error(message.type);
    const { id, productId, handle, slug, by, currency } = sale;
    const shown: SaleAttributed['data']['sale'] = {
      id,
      productId,
      handle,
      slug,
      by,
      currency,
      attributedAt: sale.attributedAt.toISOString(),
      terms: { commissionPercent: 30, commissionFor: 'lifetime', holdDays: 30 },
    };
    expect([message.id, message.data.sequence, message.data.sale]).to.deep.equal(['evt_1', 1, shown]);
    expect(content).not.to.include('Secret');
  });

  it('takes the headers of fetch and those of Node', async () => {
    const { 'webhook-signature': signature = '', ...rest } = signed();
    expect(await verifyWebhook(body, new Headers(signed()), secret, { now })).to.deep.equal(event);
    const lines = { ...rest, 'Webhook-Signature': [signature] };
    expect(await verifyWebhook(body, lines, secret, { now })).to.deep.equal(event);
  });

  it('accepts one right signature of several, as while a secret rotates', async () => {
    const both = `${signed(other)['webhook-signature']} v2,abc v1 v1,*** ${signed()['webhook-signature']}`;
    expect(await verifyWebhook(body, { ...signed(), 'webhook-signature': both }, secret, { now })).to.deep.equal(event);
  });

  const refused: Readonly<Record<string, readonly [string, Record<string, string>]>> = {
    'another secret': [body, signed(other)],
    'a changed body': [body.replace('granted', 'renewed'), signed()],
    'another id': [body, { ...signed(), 'webhook-id': 'evt_2' }],
    'another time': [body, { ...signed(), 'webhook-timestamp': String(Number(timestamp) + 1) }],
    'a time that is too early': [body, signed(secret, new Date(now.getTime() - 301_000))],
    'a time that is too late': [body, signed(secret, new Date(now.getTime() + 301_000))],
    'a time that is no number': [body, { ...signed(), 'webhook-timestamp': 'now' }],
    'no signature': [body, { ...signed(), 'webhook-signature': '' }],
    'another version': [
      body,
      { ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1', 'v2') ?? '' },
    ],
    'no headers': [body, {}],
  };
  for (const [what, [content, headers]] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      const error = await thrownBy(verifyWebhook(content, headers, secret, { now }));
      expect(error).to.be.instanceOf(WebhookVerificationError);
    });
  }

  it('accepts five minutes of difference, and as many as the caller allows', async () => {
    const early = new Date(now.getTime() - 300_000);
    expect(await verifyWebhook(body, signed(secret, early), secret, { now })).to.deep.equal(event);
    const error = await thrownBy(verifyWebhook(body, signed(secret, early), secret, { now, tolerance: 60 }));
    expect(error).to.be.instanceOf(WebhookVerificationError);
  });

  it('refuses a secret that cannot be one', async () => {
    for (const wrong of ['', 'secret', 'whsec_', 'whsec_***'])
      expect(await thrownBy(verifyWebhook(body, signed(), wrong, { now })), wrong).to.be.instanceOf(TypeError);
  });
});
