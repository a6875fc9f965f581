import { expect } from 'chai';
import type { PlacedEvent } from '../../core/feed/events.port.ts';
import { KilledServer } from '../support/processes/killed-server.ts';
import { rounds } from '../support/run/long-runs.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { openAt, sqlite, type OpenedStore } from '../support/stores/stores.ts';
import { deliveryFlags, ObservedEndpoint } from '../support/webhooks/observed-endpoint.ts';
import { eventViolations } from '../support/workload/event-history.ts';
import { FeedReader } from '../support/workload/feed-reader.ts';
import { violations, type History } from '../support/workload/history.ts';

const appKey = 'svc_sk_live_of-the-crash-test';
const kills = rounds(4, 20);

describe(`a server that is killed ${kills} times at random moments, with a reader of its feed and a webhook endpoint`, () => {
  let server: KilledServer;
  let store: OpenedStore;
  let reader: FeedReader;
  let endpoint: ObservedEndpoint;
  let deliveredMeanwhile: number;
  let history: History;
  let log: readonly PlacedEvent[];

  before(async () => {
    const address = await sqlite.address();
    server = await KilledServer.on(address, appKey, { flags: deliveryFlags });
    store = await openAt(address.url);
    reader = new FeedReader(appKey, () => server.url);
    endpoint = await ObservedEndpoint.addTo(store);
    history = await server.historyOf(kills, { reader, endpoint });
    deliveredMeanwhile = endpoint.deliveries;
    log = await eventsIn(store);
  });
  after(async () => {
    await store.close();
    await server.remove();
    await endpoint.close();
  });

  it('loses no acknowledged change, and carries out no request twice', () => {
    expect(violations(history)).to.deep.equal([]);
  });

  it('has one event for each change, in their order', () => {
    expect(log.length).to.be.greaterThan(kills);
    expect(eventViolations(history, log)).to.deep.equal([]);
  });

  it('shows a reader each event once', async () => {
    await reader.readToEnd();
    expect(reader.events.map(({ id }) => id)).to.deep.equal(log.map(({ event }) => event.id));
  });

  it('delivers each event at least once, those of each entitlement in their order, and nothing else', async () => {
    expect(await endpoint.violations(log)).to.deep.equal([]);
    expect(deliveredMeanwhile).to.be.greaterThan(kills);
  });
});
