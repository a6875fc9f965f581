import { expect } from 'chai';
import { followerParts } from '../../../../app/service/container.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { FeedFollower, type Held } from '../../../../core/feed/feed-follower.ts';
import { aCall, aSubscription, deadlineIn } from '../../../support/builders.ts';
import { waitUntil } from '../../../support/event-loop.ts';
import { AdminClient, freshAdmin } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { bearer, http } from '../../../support/http/requests.ts';
import { startService } from '../../../support/http/service-hooks.ts';
import type { ServiceOptions, TestService } from '../../../support/http/test-service.ts';
import { memory } from '../../../support/stores/stores.ts';

interface Feed {
  readonly data: readonly { readonly type: string }[];
  readonly meta: { readonly next: string; readonly hasMore: boolean };
}

const feedOf = ({ body }: Reply): Feed => body as Feed;

/** The time, in seconds, that a request waits if it is to be answered before the time is over. */
const longWait = 30;

/** Knows how many requests it holds. No look of it fails because the machine is busy. */
class ObservedFollower extends FeedFollower {
  static held = 0;

  constructor(...[parts]: ConstructorParameters<typeof FeedFollower>) {
    super({ ...parts, newCall: () => aCall({ deadline: deadlineIn(30_000) }) });
    ObservedFollower.held = 0;
  }

  override follow(...parameters: Parameters<FeedFollower['follow']>): Held | null {
    const held = super.follow(...parameters);
    if (held === null) return null;
    ObservedFollower.held += 1;
    void held.over.then(() => (ObservedFollower.held -= 1));
    return held;
  }
}

const observedHolding = (maxHeld: number): Required<Pick<ServiceOptions, 'rebind'>> => ({
  rebind: (container) =>
    container
      .rebind(tokens.feedFollower)
      .toResolvedValue((events) => new ObservedFollower({ ...followerParts(events), maxHeld }), [tokens.events]),
});

/** Resolves when `count` requests are held. */
const untilHeld = (count: number): Promise<void> => waitUntil(() => ObservedFollower.held === count);

describe('a request that waits for events', () => {
  const admin = freshAdmin(memory, { storeDeadline: 10_000, ...observedHolding(2) });
  const service = (): TestService => admin().service;
  const read = (query: string): Promise<Reply> => service().send(`/api/app-events${query}`, { headers: [bearer()] });
  const clients: RawClient[] = [];
  afterEach(() => clients.splice(0).forEach((client) => client.close()));

  /** Sends a request that waits, and returns once it is held. */
  async function hold(): Promise<RawClient> {
    const before = ObservedFollower.held;
    const client = new RawClient(service().url);
    clients.push(client);
    client.send(http(`GET /api/app-events?wait=${longWait}`, [bearer()]));
    await untilHeld(before + 1);
    return client;
  }

  /** The lines of requests for events in the log. */
  const lines = (): readonly Record<string, unknown>[] =>
    service().logged.filter(({ operation }) => operation === 'listEvents');

  it('is answered as soon as there is one', async () => {
    await service().grant(aSubscription());
    const { meta } = feedOf(await read(''));
    const waiting = timeOf(read(`?after=${meta.next}&wait=${longWait}`));
    await untilHeld(1);
    expect(lines()).to.have.length(1);
    expect((await service().change('ent_1/cancel', 'key-00000001')).status).to.equal(200);
    const [reply, time] = await waiting;
    expect(feedOf(reply).data.map(({ type }) => type)).to.deep.equal(['entitlement.cancellation_scheduled']);
    expect(feedOf(reply).meta.hasMore).to.equal(false);
    expect(time).to.be.lessThan(longWait * 1000);
    const [again, second] = await timeOf(read(`?after=${meta.next}&wait=${longWait}`));
    expect(feedOf(again)).to.deep.include({ data: feedOf(reply).data, meta: feedOf(reply).meta });
    expect(second).to.be.lessThan(longWait * 1000);
  });

  it('is answered for an operator as well', async () => {
    await admin().put('/admin/products/prod_1', { name: 'One' });
    await service().grant(aSubscription());
    const waiting = admin().get(`/admin/events?product=prod_1&wait=${longWait}`);
    await service().change('ent_1/cancel', 'key-00000001');
    expect(feedOf(await waiting).data).to.have.length(1);
  });

  it('has the empty page when its time is over, which its deadline and the metrics leave out', async () => {
    const [reply, time] = await timeOf(read('?after=0-&wait=12'));
    expect([reply.status, feedOf(reply).data]).to.deep.equal([200, []]);
    expect(feedOf(reply).meta).to.deep.equal({ next: '0-', hasMore: false });
    expect(time).to.be.greaterThan(11_990);
    const [{ duration, held } = {}] = lines();
    expect(held).to.be.greaterThan(11_990);
    expect(duration).to.be.lessThan(11_990);
    const metrics = await (await fetch(`${service().adminUrl}/metrics`)).text();
    const sum = /request_duration_seconds_sum\{operation="listEvents"\} (\S+)/.exec(metrics)?.[1];
    expect(Number(sum)).to.be.within(0.00001, 11.99);
  });

  it('is not held if its wait is no number, or 0 or less', async () => {
    for (const wait of ['', '0', '-3', '-99999999999999999999', 'long', '1.5', '1e1', '２']) {
      const reply = await read(`?wait=${encodeURIComponent(wait)}`);
      expect([reply.status, feedOf(reply).data]).to.deep.equal([200, []]);
    }
    expect(lines().filter(({ held }) => held !== undefined)).to.deep.equal([]);
  });

  it('is answered at once if too many are held, which leaves other requests alone', async () => {
    await hold();
    await hold();
    const reply = await read('?wait=99999999999999999999');
    expect([reply.status, feedOf(reply).data]).to.deep.equal([200, []]);
    expect(lines().map(({ held }) => held)).to.deep.equal([undefined]);
    expect((await service().send('/readyz')).status).to.equal(200);
  });

  it('is let go when its client closes the connection, or its side of it', async () => {
    const [gone, halfGone] = [await hold(), await hold()];
    gone.socket.resetAndDestroy();
    halfGone.socket.end();
    expect((await halfGone.read('GET')).status).to.equal(200);
    await waitUntil(() => lines().length === 2);
    await hold();
    await hold();
    expect(lines()).to.have.length(2);
  });
});

describe('a server that stops', () => {
  it('answers the requests that it holds at once, on both ports', async () => {
    const service = await startService(memory, { adminPort: 0, ...observedHolding(2) });
    await service.addOperatorKey(operatorKeys.full);
    const admin = new AdminClient(service);
    await admin.put('/admin/products/prod_1', { name: 'One' });
    const client = new RawClient(service.url);
    client.send(http(`GET /api/app-events?wait=${longWait}`, [bearer()]));
    const onAdminPort = admin.get(`/admin/events?product=prod_1&wait=${longWait}`);
    await untilHeld(2);
    expect(service.logged.filter(({ route }) => String(route).endsWith('events'))).to.deep.equal([]);
    await service.stop();
    const answer = await client.read('GET');
    expect([answer.status, answer.headers['connection']]).to.deep.equal([200, ['close']]);
    expect(JSON.parse(answer.body)).to.deep.include({ data: [], meta: { next: '0-', hasMore: false } });
    expect(feedOf(await onAdminPort).data).to.deep.equal([]);
    const held = service.logged.flatMap((line) => (line['held'] === undefined ? [] : [Number(line['held'])]));
    expect(held).to.have.length(2);
    expect(Math.max(...held)).to.be.lessThan(longWait * 1000);
    expect(service.faults).to.deep.equal([]);
    client.close();
  });
});

async function timeOf<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const start = performance.now();
  return [await work, performance.now() - start];
}
