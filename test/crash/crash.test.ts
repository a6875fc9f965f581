import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import type { PlacedEvent } from '../../core/feed/events.port.ts';
import { aCall, anOperatorKey, aSubscription, day, granted } from '../support/builders.ts';
import { freePorts } from '../support/free-ports.ts';
import { KilledServer } from '../support/processes/killed-server.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { openAt, sqlite, type OpenedStore } from '../support/stores/stores.ts';
import { deliveryFlags, ObservedEndpoint } from '../support/webhooks/observed-endpoint.ts';
import { AdminTraffic } from '../support/workload/admin-traffic.ts';
import { eventViolations } from '../support/workload/event-history.ts';
import { FeedReader } from '../support/workload/feed-reader.ts';
import { violations, type History } from '../support/workload/history.ts';

const appKey = 'svc_sk_live_of-the-crash-test';
const operatorKey = 'svc_op_live_of-the-crash-test';
const kills = rounds(2, 20);

/** The entitlements that operators change, and the one that is canceled and resumed before the first kill. */
const ofOperators = range(12).map((index) => `ent_of_operators_${index}`);
const resumed = 'ent_resumed';

/** Milliseconds between two requests of an operator, so that their changes last until the end. */
const interval = 100;

describe(`a server that is killed ${kills} times at random moments, with operators, a feed and a webhook endpoint`, () => {
  let server: KilledServer;
  let store: OpenedStore;
  let reader: FeedReader;
  let operators: AdminTraffic;
  let endpoint: ObservedEndpoint;
  let deliveredMeanwhile: number;
  let history: History;
  let log: readonly PlacedEvent[];
  const cancel = { entitlementId: resumed, operation: 'cancel', key: randomUUID() } as const;
  /** The answers to that, and to the resumption after it. */
  const answers: string[] = [];

  before(async () => {
    const address = await sqlite.address();
    const [adminPort = 0] = await freePorts(1);
    server = await KilledServer.on(address, appKey, {
      flags: [...deliveryFlags, '--admin-port', String(adminPort)],
    });
    store = await openAt(address.url);
    const end = new Date(Date.now() + 1000 * day);
    const others = [...ofOperators, resumed].map((id) => aSubscription({ id, currentPeriodEnd: end, graceUntil: end }));
    await store.allEntitlements.add(granted(others), aCall());
    await store.allOperatorKeys.add(anOperatorKey({ digest: digest(operatorKey) }), aCall());
    reader = new FeedReader(appKey, () => server.url);
    operators = new AdminTraffic(operatorKey, ofOperators, () => [`http://127.0.0.1:${adminPort}`], interval);
    endpoint = await ObservedEndpoint.addTo(store);
    await server.start();
    answers.push(await server.traffic.settle(cancel));
    answers.push(await server.traffic.settle({ ...cancel, operation: 'resume', key: randomUUID() }));
    history = await server.historyOf(kills, { clients: [reader, operators], endpoint });
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

  it('loses no acknowledged change of an operator and its history, and repeats none', async () => {
    expect(await operators.violations()).to.deep.equal([]);
    expect(operators.unknown).to.be.at.least(kills);
  });

  it('replays a cancel after a later resume, and leaves the entitlement resumed', async () => {
    const [canceled, after = ''] = answers;
    expect(await server.traffic.settle(cancel)).to.equal(canceled);
    expect(await server.traffic.read([resumed])).to.deep.equal([JSON.parse(after).data]);
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
