import { expect } from 'chai';
import type { EventPage } from '../../../core/feed/events.port.ts';
import { recentEvents } from '../../../core/feed/recent-events.ts';
import { aCall, day, later } from '../../support/builders.ts';
import { placed } from '../../support/webhooks/builders.ts';

/** A log whose every hundredth event is of `ent_1`, and which counts how many events were read. */
class Log {
  read = 0;
  readonly #last: number;
  readonly #first: number;

  constructor(last: number, first = 1) {
    this.#last = last;
    this.#first = first;
  }

  async page(_productId: string, after: number, limit: number): Promise<EventPage> {
    const from = Math.max(after + 1, this.#first);
    const to = Math.min(after + limit, this.#last);
    this.read += limit;
    const positions = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const events = positions.map((position) => placed(position, position % 100 === 0 ? 'ent_1' : 'ent_2'));
    return { events, first: this.#first, last: this.#last };
  }

  async lastPosition(): Promise<number> {
    return this.#last;
  }
}

const old = { id: 'ent_1', productId: 'prod_1', createdAt: later(-300 * day) };

async function positionsIn(log: Log, entitlement = old): Promise<readonly number[]> {
  return (await recentEvents(log, entitlement, aCall())).map(({ position }) => position);
}

describe('the recent events of an entitlement', () => {
  it('are those among all of a short log, oldest first', async () => {
    expect(await positionsIn(new Log(1234))).to.deep.equal(Array.from({ length: 12 }, (_, index) => (index + 1) * 100));
    expect(await positionsIn(new Log(0))).to.deep.equal([]);
    expect(await positionsIn(new Log(99))).to.deep.equal([]);
  });

  it('are looked for among the last 10,000 of a long log', async () => {
    const log = new Log(50_050);
    const found = await positionsIn(log);
    expect([found[0], found.at(-1), found.length, log.read]).to.deep.equal([40_100, 50_000, 100, 10_000]);
  });

  it('are not looked for before the entitlement was granted, nor before the first that is kept', async () => {
    const young = new Log(50_000);
    await positionsIn(young, { ...old, createdAt: later(2 * day) });
    expect(young.read).to.equal(500);
    const pruned = new Log(50_000, 49_300);
    expect([(await positionsIn(pruned)).length, pruned.read]).to.deep.equal([8, 1000]);
  });
});
