import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { recordClockEvents } from '../../../../core/entitlement/event/record-clock-events.ts';
import { aCall, aSubscription, day, later } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { appKeys, operatorKeys } from '../../../support/http/fixtures.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { contentHeaders } from '../../../support/http/replies.ts';
import { bearer } from '../../../support/http/requests.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { memory } from '../../../support/stores/stores.ts';

interface Feed {
  readonly data: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly sequence: number; readonly entitlement: { readonly id: string } };
  }[];
  readonly meta: { readonly next: string; readonly hasMore: boolean };
}

const feedOf = ({ body }: Reply): Feed => body as Feed;

describe('the feed of events', () => {
  const admin = freshAdmin(memory);
  const service = (): TestService => admin().service;
  const read = (query = '', key: string = appKeys.full): Promise<Reply> =>
    service().send(`/api/app-events${query}`, { headers: [bearer(key)] });

  /** Reads once the feed has that many events, which appear soon after their changes. */
  const readAll = (count: number, query = ''): Promise<Reply> =>
    eventually(
      () => read(query),
      (reply) => feedOf(reply).data.length >= count,
    );

  /** Cancels and resumes in turns. */
  async function change(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      service().now = later(time);
      const path = time % 2 === 0 ? 'ent_1/cancel' : 'ent_1/resume';
      expect((await service().change(path, `key-number-${time}`)).status).to.equal(200);
    }
  }

  it('is empty at first, with a cursor to go on from', async () => {
    const reply = await read();
    expect(reply).to.deep.equal({
      status: 200,
      headers: { ...contentHeaders, 'cache-control': 'private, no-store' },
      body: { success: true, data: [], meta: { next: '0-', hasMore: false }, correlationId: requestId },
    });
    await service().grant(aSubscription());
    await change(1);
    expect(feedOf(await readAll(1, '?after=0-')).data).to.have.length(1);
  });

  it('shows a change with its cause, the earlier values and the entitlement after it', async () => {
    await service().grant(aSubscription());
    const { body } = await service().change('ent_1/cancel', 'key-00000001');
    const [event] = feedOf(await readAll(1)).data;
    expect(event?.id).to.match(/^evt_[0-9A-Za-z]{22}$/);
    expect(event).to.deep.equal({
      id: event?.id,
      type: 'entitlement.cancellation_scheduled',
      timestamp: '2026-07-18T12:00:00.000Z',
      data: {
        sequence: 1,
        correlationId: requestId,
        by: 'app-key:key_1',
        previous: { cancelAt: null, canceledAt: null },
        entitlement: (body as { readonly data: unknown }).data,
      },
    });
  });

  it('names the reason of an end, and shows the license of its events', async () => {
    await admin().put('/admin/products/prod_1', { name: 'One' });
    const terms = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
    await admin().put('/admin/entitlements/ent_2', terms);
    await admin().post('/admin/entitlements/ent_2/license/revoke');
    await admin().post('/admin/entitlements/ent_2/revoke');
    const { data } = feedOf(await readAll(3));
    expect(data.map(({ type }) => type)).to.deep.equal(['entitlement.granted', 'license.revoked', 'entitlement.ended']);
    const at = '2026-07-18T12:00:00.000Z';
    const [, ofLicense] = data as readonly { readonly data: { readonly license?: { readonly lastFour: string } } }[];
    const license = ofLicense?.data.license;
    expect(license).to.deep.equal({ lastFour: license?.lastFour, createdAt: at, revokedAt: at });
    expect(data[2]?.data).to.include({ reason: 'revoked', by: 'operator:opk_1', sequence: 3 });
    expect(data[2]?.data).to.deep.include({ previous: { status: 'active', endedAt: null } });
  });

  it('announces an end of access that is near, with the reason and the instant', async () => {
    const seen = aSubscription({ standing: 'trialing', graceUntil: later(5000), currentPeriodEnd: later(4000) });
    await service().grant({ ...seen, unannouncedEnd: later(5000) });
    const due = service().container.get(tokens.dueEntitlements);
    await recordClockEvents(due, () => 'evt_soon', 4500)(() => aCall({ now: later(2000), by: 'clock' }));
    const [event] = feedOf(await readAll(1)).data;
    expect(event).to.have.property('type', 'entitlement.ending_soon');
    expect(event?.data).to.deep.include({
      sequence: 1,
      correlationId: null,
      by: 'clock',
      reason: 'trial',
      endsAt: '2026-07-18T12:00:05.000Z',
      previous: {},
    });
  });

  it('announces an end that is near before a change of the merchant or of the administrator that comes later', async () => {
    const near = { currentPeriodEnd: later(day), graceUntil: later(2 * day), unannouncedEnd: later(2 * day) };
    await service().grant(aSubscription(near), aSubscription({ ...near, id: 'ent_2' }));
    await service().change('ent_1/cancel', 'key-00000001');
    await admin().post('/admin/entitlements/ent_2/suspend');
    const { data } = feedOf(await readAll(4));
    const ofEach = Map.groupBy(data, (event) => event.data.entitlement.id);
    const types = (id: string): readonly string[] => (ofEach.get(id) ?? []).map(({ type }) => type);
    expect([types('ent_1'), types('ent_2')]).to.deep.equal([
      ['entitlement.ending_soon', 'entitlement.cancellation_scheduled'],
      ['entitlement.ending_soon', 'entitlement.suspended'],
    ]);
  });

  it('brings a limit within its bounds', async () => {
    await service().grant(aSubscription());
    await change(3);
    await readAll(3);
    const counts = [];
    for (const limit of ['1', '0', '-5', '2', '101', '99999999999999999999', 'many', '1.5', ''])
      counts.push(feedOf(await read(`?limit=${limit}`)).data.length);
    expect(counts).to.deep.equal([1, 1, 1, 2, 3, 3, 3, 3, 3]);
  });

  it('refuses cursors that are malformed, and those of another log', async () => {
    await service().grant(aSubscription());
    await change(2);
    const { meta } = feedOf(await readAll(2));
    const other = '1-another0';
    expect(outcomeOf(await read('?after=nonsense'))).to.deep.equal([
      400,
      'invalid_cursor',
      'after must be the next of a page of this feed.',
    ]);
    for (const cursor of [other, meta.next.replace('2-', '3-')])
      expect(outcomeOf(await read(`?after=${cursor}`)).slice(0, 2)).to.deep.equal([410, 'cursor_unknown']);
  });

  it('needs an app key with its scope, and shows the events of its product only', async () => {
    await service().grant(aSubscription(), aSubscription({ id: 'ent_2', productId: 'prod_2' }));
    await service().addAppKey(appKeys.otherProduct, { id: 'key_2', productId: 'prod_2' });
    await service().addAppKey(appKeys.readOnly, { id: 'key_3', scopes: ['write:entitlements'] });
    await change(1);
    await readAll(1);
    expect(feedOf(await read('', appKeys.otherProduct)).data).to.deep.equal([]);
    expect(outcomeOf(await read('', appKeys.readOnly)).slice(0, 2)).to.deep.equal([403, 'insufficient_scope']);
    expect(outcomeOf(await read('', 'svc_sk_live_unknown')).slice(0, 2)).to.deep.equal([401, 'invalid_app_key']);
    expect(outcomeOf(await read('', operatorKeys.full)).slice(0, 2)).to.deep.equal([401, 'invalid_app_key']);
  });

  it('is the same for operators, for any product that they name', async () => {
    await admin().put('/admin/products/prod_1', { name: 'One' });
    await service().grant(aSubscription());
    await change(2);
    const own = feedOf(await readAll(2));
    const reply = await admin().get('/admin/events?product=prod_1&limit=1');
    expect([reply.status, reply.headers['cache-control']]).to.deep.equal([200, 'private, no-store']);
    expect(dataOf(reply)).to.deep.equal(own.data.slice(0, 1));
    const rest = await admin().get(`/admin/events?product=prod_1&after=${feedOf(reply).meta.next}`);
    expect(feedOf(rest)).to.deep.include({ data: own.data.slice(1), meta: own.meta });
    const outcomes = [];
    for (const query of ['', '?product=', '?product=prod_2', '?product=prod_1&after=x'])
      outcomes.push(outcomeOf(await admin().get(`/admin/events${query}`)).slice(0, 2));
    expect(outcomes).to.deep.equal([
      [400, 'invalid_parameter'],
      [400, 'invalid_parameter'],
      [404, 'product_not_found'],
      [400, 'invalid_cursor'],
    ]);
    await service().addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:catalog'] });
    const refused = await admin().send('GET', '/admin/events?product=prod_1', { key: operatorKeys.reader });
    expect(outcomeOf(refused).slice(0, 2)).to.deep.equal([403, 'insufficient_scope']);
  });
});
