import { expect } from 'chai';
import { LatchkeyClient, type Event } from '../../client/index.ts';
import { faultyClients } from '../support/client/faulty-clients.ts';
import { appKeys } from '../support/http/fixtures.ts';
import { populatedServices } from '../support/http/service-hooks.ts';
import '../support/stores/stores.ts';
import { thrownBy } from '../support/thrown.ts';

const canceled = 'entitlement.cancellation_scheduled';
const resumed = 'entitlement.cancellation_undone';

/** The types without those of grants, which the fixtures make on some stores only. */
function changesIn(events: readonly Event[]): readonly string[] {
  return events.map(({ type }) => type).filter((type) => type !== 'entitlement.granted');
}

describe('the events of the client', () => {
  const started = populatedServices();

  it('are those of the changes, page by page', async () => {
    const { url } = await started();
    const { entitlements, events } = new LatchkeyClient({ baseUrl: url, appKey: appKeys.full });
    await entitlements.cancel('ent_1');
    await entitlements.resume('ent_1');
    const seen: Event[] = [];
    let after: string | undefined;
    while (seen.at(-1)?.type !== resumed) {
      const { data, meta } = await events.list({ after, limit: 1, wait: 10 });
      expect(data).to.have.length(1);
      seen.push(...data);
      after = meta.next;
    }
    expect(changesIn(seen)).to.deep.equal([canceled, resumed]);
    expect((await events.list({ after })).data).to.deep.equal([]);
  });

  it('come as they happen, and come again from a saved cursor on', async () => {
    const { url } = await started();
    const { entitlements, events } = new LatchkeyClient({ baseUrl: url, appKey: appKeys.full });
    await entitlements.cancel('ent_1');
    const cursors: string[] = [];
    const seen: Event[] = [];
    for await (const event of events.all({ saveCursor: (cursor) => void cursors.push(cursor) })) {
      seen.push(event);
      if (event.type === canceled) await entitlements.resume('ent_1');
      if (event.type === resumed) break;
    }
    expect(changesIn(seen)).to.deep.equal([canceled, resumed]);
    const again = await events.list({ after: cursors.at(-1) });
    expect(changesIn(again.data)).to.deep.equal([resumed]);
  });

  it('need one request while nothing happens', async () => {
    const service = await started();
    const { entitlements, events } = new LatchkeyClient({ baseUrl: service.url, appKey: appKeys.full });
    let { data, meta } = await events.list({ wait: 1 });
    while (data.length > 0) ({ data, meta } = await events.list({ after: meta.next, wait: 1 }));
    service.logged.splice(0);
    const next = events.list({ after: meta.next, wait: 30 });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await entitlements.cancel('ent_1');
    expect(changesIn((await next).data)).to.deep.equal([canceled]);
    expect(service.logged.filter(({ operation }) => operation === 'listEvents')).to.have.length(1);
  });
});

describe('the events of the client', () => {
  const clients = faultyClients();
  const empty = { status: 200, body: '{"success":true,"data":[],"meta":{"next":"0-","hasMore":false}}' };
  const one = { status: 200, body: '{"success":true,"data":[{"id":"evt_1"}],"meta":{"next":"1-a","hasMore":false}}' };

  it('are waited for by the service, and again a second later if it answers early', async () => {
    const { client, proxy } = await clients([empty, one]);
    const { data } = await client.events.list({ wait: 5, limit: 7 });
    expect(data.map(({ id }) => id)).to.deep.equal(['evt_1']);
    const [first, second] = proxy.seen.map(({ line }) => line);
    expect(first).to.equal('GET /api/app-events?limit=7&wait=5');
    expect(second).to.match(/^GET \/api\/app-events\?limit=7&wait=[34]$/);
  });

  it('are not waited for by a retry', async () => {
    const { client, proxy } = await clients([{ status: 503, body: '{}' }, one]);
    expect((await client.events.list({ wait: 5 })).data).to.have.length(1);
    expect(proxy.seen.map(({ line }) => line)).to.deep.equal(['GET /api/app-events?wait=5', 'GET /api/app-events']);
  });

  it('are waited for no longer than asked', async () => {
    const { client, proxy } = await clients([empty, empty, empty]);
    expect((await client.events.list()).data).to.deep.equal([]);
    expect(proxy.seen).to.have.length(1);
    expect((await client.events.list({ wait: 0.5 })).data).to.deep.equal([]);
    expect(proxy.seen).to.have.length(3);
    for (const wait of [-1, 31, Number.NaN])
      expect(await thrownBy(client.events.list({ wait }))).to.be.instanceOf(RangeError);
  });

  it("end with the reason of the caller's signal while they are waited for", async () => {
    const { client, proxy } = await clients([empty]);
    const caller = new AbortController();
    const reason = new Error('the server stops');
    const next = thrownBy(client.events.all({}, { signal: caller.signal }).next());
    while (proxy.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    caller.abort(reason);
    expect(await next).to.equal(reason);
  });
});
