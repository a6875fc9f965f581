import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import type { Subscription } from '../../../../core/entitlement/entitlement.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { aLicense, aSubscription, hour, later } from '../../../support/builders.ts';
import { bearer } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

const periodEnd = aSubscription().currentPeriodEnd;
const graceEnd = aSubscription().graceUntil;
const inTheGrace = new Date(periodEnd.getTime() + hour);
const key = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(key, digest) });

const before = (instant: Date): Date => new Date(instant.getTime() - 1);
const cancellation = { at: periodEnd, requestedAt: aSubscription().createdAt };

interface Seen {
  readonly status: string;
  readonly access: boolean;
  readonly endedAt: string | null;
  readonly allowedActions: readonly string[];
}

const open = (status: string, action = 'cancel'): Seen => ({
  status,
  access: true,
  endedAt: null,
  allowedActions: [action],
});
const ended = (status: string, at: Date): Seen => ({
  status,
  access: false,
  endedAt: at.toISOString(),
  allowedActions: [],
});
const held: Seen = { status: 'suspended', access: false, endedAt: null, allowedActions: ['cancel'] };

const readings: readonly (readonly [what: string, stored: Partial<Subscription>, now: Date, seen: Seen])[] = [
  ['active until the millisecond before its period ends', {}, before(periodEnd), open('active')],
  ['past due from the end of its period', {}, periodEnd, open('past_due')],
  ['past due until the millisecond before its grace ends', {}, before(graceEnd), open('past_due')],
  ['expired from the end of its grace', {}, graceEnd, ended('expired', graceEnd)],
  [
    'active until the millisecond before its scheduled end',
    { cancellation },
    before(periodEnd),
    open('active', 'resume'),
  ],
  ['canceled from its scheduled end', { cancellation }, periodEnd, ended('canceled', periodEnd)],
  ['canceled after its grace, too', { cancellation }, graceEnd, ended('canceled', periodEnd)],
  ['suspended in its grace', { hold: { kind: 'suspended' } }, inTheGrace, held],
  [
    'expired at the end of its grace even when suspended',
    { hold: { kind: 'suspended' } },
    graceEnd,
    ended('expired', graceEnd),
  ],
  [
    'canceled at its scheduled end even when suspended',
    { hold: { kind: 'suspended' }, cancellation },
    periodEnd,
    ended('canceled', periodEnd),
  ],
];

describe('a subscription over time', () => {
  const service = freshService(memory);

  for (const [what, overrides, now, { access, ...snapshot }] of readings) {
    it(`is ${what}`, async () => {
      await service().grant(aSubscription({ license, ...overrides }));
      service().now = now;
      expect((await service().read('ent_1')).body)
        .to.have.property('data')
        .that.deep.includes({ ...snapshot, active: access, version: 1 });
      const verified = await service().verify({ licenseKey: key });
      expect(verified.body).to.have.property('valid', access);
      expect(verified.body).to.have.nested.property('entitlement.status', snapshot.status);
    });
  }

  it('can be canceled until the millisecond before its grace ends, and then keeps the grace', async () => {
    await service().grant(aSubscription());
    service().now = before(graceEnd);
    const { status, body } = await service().change('ent_1/cancel', 'key-00000001');
    expect(status).to.equal(200);
    expect(body)
      .to.have.property('data')
      .that.includes({ status: 'past_due', cancelAt: graceEnd.toISOString(), cancelAtPeriodEnd: true });
    service().now = graceEnd;
    const after = await service().read('ent_1');
    expect(after.body)
      .to.have.property('data')
      .that.includes({ status: 'canceled', endedAt: graceEnd.toISOString(), cancelAtPeriodEnd: true });
  });

  it('can be resumed until the millisecond before its scheduled end', async () => {
    await service().grant(aSubscription({ cancellation }), aSubscription({ id: 'ent_2', cancellation }));
    service().now = before(periodEnd);
    expect((await service().change('ent_1/resume', 'key-00000001')).status).to.equal(200);
    service().now = periodEnd;
    expect((await service().change('ent_2/resume', 'key-00000002')).status).to.equal(409);
  });

  it('is sent again to a client whose copy is from before its end', async () => {
    await service().grant(aSubscription({ cancellation }));
    service().now = before(periodEnd);
    const { etag = '' } = (await service().read('ent_1')).headers;
    const conditional = { headers: [bearer(), `If-None-Match: ${etag}`] };
    expect((await service().send('/api/app-entitlements/ent_1', conditional)).status).to.equal(304);
    service().now = periodEnd;
    const reply = await service().send('/api/app-entitlements/ent_1', conditional);
    expect(reply.status).to.equal(200);
    expect(reply.body).to.have.nested.property('data.status', 'canceled');
  });

  it('has its cancel replayed after its end as it was answered before', async () => {
    const end = later(hour);
    await service().grant(aSubscription({ currentPeriodEnd: end, graceUntil: end }));
    const first = await service().changeForText('ent_1/cancel', 'key-00000001', 'request-0001');
    service().now = end;
    expect((await service().change('ent_1/cancel', 'key-00000002')).status).to.equal(409);
    const replay = await service().changeForText('ent_1/cancel', 'key-00000001', 'request-0002');
    expect([replay.status, replay.text]).to.deep.equal([200, first.text]);
  });
});
