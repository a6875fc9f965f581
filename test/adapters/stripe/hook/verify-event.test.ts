import { expect } from 'chai';
import { createStripe, type StripeClient } from '../../../../adapters/stripe/client/create-stripe.ts';
import { verifyEvent } from '../../../../adapters/stripe/hook/verify-event.ts';
import { Refusal } from '../../../../core/refusal.ts';

const [old, current] = ['whsec_old', 'whsec_current'];
const event = { id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object: { id: 'in_1', parent: null } } };

describe('the signature of an event', () => {
  let stripe: StripeClient;

  before(async () => {
    stripe = await createStripe({ apiKey: 'sk_test_1', apiBase: 'http://127.0.0.1:1' });
  });

  function signed(text: string, secret: string, timestamp = Math.floor(Date.now() / 1000)): string {
    return stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp });
  }

  function verify(text: string, signature: string): ReturnType<typeof verifyEvent> {
    return verifyEvent(stripe, Buffer.from(text), signature, [current, old]);
  }

  for (const secret of [current, old]) {
    it(`is valid by either secret: ${secret}`, () => {
      const text = JSON.stringify(event);
      const facts = { id: 'evt_1', type: 'invoice.paid', object: { id: 'in_1', parent: null } };
      expect(verify(text, signed(text, secret))).to.deep.equal(facts);
    });
  }

  it('is refused if it is missing, of other bytes, of another secret, or older than five minutes', () => {
    const text = JSON.stringify(event);
    const tooOld = Math.floor(Date.now() / 1000) - 400;
    const signatures = [
      '',
      'v1=1',
      signed(`${text} `, current),
      signed(text, 'whsec_of_others'),
      signed(text, old, tooOld),
    ];
    for (const signature of signatures) {
      expect(() => verify(text, signature)).to.throw(Refusal, 'invalid_signature');
    }
  });

  const now = Math.floor(Date.now() / 1000);
  for (const signature of [
    `t=${now},v1=`,
    `t=${now},v1`,
    `t=${now},v1=,v1=`,
    `t=${now},v1=${'0'.repeat(64)},v1=`,
    `t=${now},v1=${'é'.repeat(64)}`,
    't=,v1=',
    'v1=',
    `t=${now}`,
    `t=${now},v0=`,
    ',',
    '=',
  ]) {
    it(`is refused if it has nothing to verify: ${signature.replace(String(now), '…')}`, () => {
      for (const text of [JSON.stringify(event), 'not JSON', '']) {
        expect(() => verify(text, signature)).to.throw(Refusal, 'invalid_signature');
      }
    });
  }

  it('is refused whatever the library throws while it verifies', () => {
    const webhooks = Object.assign(Object.create(stripe.webhooks) as typeof stripe.webhooks, {
      signature: {
        verifyHeader: () => {
          throw new RangeError('another class of errors');
        },
      },
    });
    const text = JSON.stringify(event);
    const act = (): unknown => verifyEvent({ webhooks }, Buffer.from(text), signed(text, current), [current]);
    expect(act).to.throw(Refusal, 'invalid_signature');
  });

  it('counts by the second secret, although the first one cannot be used', () => {
    const text = JSON.stringify(event);
    expect(verifyEvent(stripe, Buffer.from(text), signed(text, current), ['', current])).to.include({ id: 'evt_1' });
  });

  function read(type: string, related_object: unknown): unknown {
    const text = JSON.stringify({ id: 'evt_1', object: 'v2.core.event', type, related_object });
    return verify(text, signed(text, current));
  }

  it('can be that of a thin event, which names its object', () => {
    const invoice = { id: 'in_1', type: 'invoice', url: '/v1/invoices/in_1' };
    expect(read('v1.invoice.paid', invoice)).to.deep.equal({
      id: 'evt_1',
      type: 'invoice.paid',
      object: { id: 'in_1' },
    });
    for (const nothing of [null, undefined, { ...invoice, id: 1 }, 'in_1']) {
      expect(read('v1.invoice.paid', nothing)).to.equal(null);
      expect(read('v2.core.account.created', nothing)).to.deep.include({ object: {} });
    }
  });

  it('can be that of a message which is no event', () => {
    const others = [
      { ...event, object: 'v2.core.event' },
      { ...event, object: 'v1.event' },
      { ...event, data: null },
      { ...event, id: 1 },
      [],
      null,
      7,
    ];
    for (const text of ['not JSON', '', ...others.map((other) => JSON.stringify(other))]) {
      expect(verify(text, signed(text, current))).to.equal(null);
    }
  });
});
