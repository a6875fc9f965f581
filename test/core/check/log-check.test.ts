import { expect } from 'chai';
import { EventFaults } from '../../../core/check/event-faults.ts';
import { EventIds } from '../../../core/check/event-ids.ts';
import { LogCheck } from '../../../core/check/log-check.ts';
import type { EventPage, Events, PlacedEvent } from '../../../core/event/events.port.ts';
import { aCall, anEvent, aSubscription } from '../../support/builders.ts';
import { range } from '../../support/range.ts';

/** The log of `prod_1`, as a store that may be damaged shows it. */
class Log implements Events {
  events: readonly PlacedEvent[];
  pages = 0;

  constructor(events: readonly PlacedEvent[]) {
    this.events = events;
  }

  async page(productId: string, after: number, limit: number): Promise<EventPage> {
    expect(productId).to.equal('prod_1');
    this.pages += 1;
    const events = this.events.filter(({ position }) => position > after).slice(0, limit);
    return { events, first: this.events[0]?.position ?? 0, last: await this.lastPosition() };
  }

  async lastPosition(): Promise<number> {
    return this.events.at(-1)?.position ?? 0;
  }

  async prune(): Promise<number> {
    return 0;
  }
}

/** An event at a position, of the entitlement at its turn, whose version is its sequence. */
function placed(position: number, entitlementId: string, sequence: number, id = `evt_${position}`): PlacedEvent {
  return { position, event: anEvent(aSubscription({ id: entitlementId, sequence, version: sequence }), { id }) };
}

/** Events of `ent_1` and `ent_2` in turn, from the position 1 on. */
function inTurn(count: number): readonly PlacedEvent[] {
  return range(count).map((index) => placed(index + 1, index % 2 === 0 ? 'ent_1' : 'ent_2', Math.floor(index / 2) + 1));
}

/** A check of a log, which returns the faults that it has found so far. */
function check(events: readonly PlacedEvent[]) {
  const [log, faults] = [new Log(events), new EventFaults('events')];
  const checked = new LogCheck({ events: log, faults, ids: new EventIds() }, 'prod_1');
  const messages = async (): Promise<readonly string[]> => {
    await checked.readOn(aCall);
    return faults.findings('good').map(({ message }) => message);
  };
  return { log, checked, messages };
}

describe('the check of a log', () => {
  it('knows the last event of each entitlement of a complete log', async () => {
    const { checked, messages } = check(inTurn(5));
    expect(await messages()).to.deep.equal(['good']);
    expect([...checked.last]).to.deep.equal([
      ['ent_1', { sequence: 3, version: 3 }],
      ['ent_2', { sequence: 2, version: 2 }],
    ]);
    expect([checked.count, checked.isPruned]).to.deep.equal([5, false]);
  });

  it('finds nothing in an empty log', async () => {
    const { checked, messages } = check([]);
    expect([await messages(), checked.count, checked.isPruned]).to.deep.equal([['good'], 0, false]);
  });

  it('begins with any sequence if the first events are no longer kept', async () => {
    const { checked, messages } = check(inTurn(9).slice(3));
    expect([await messages(), checked.count, checked.isPruned]).to.deep.equal([['good'], 6, true]);
  });

  for (const [count, pages] of [
    [500, 1],
    [501, 2],
    [999, 2],
    [1000, 3],
  ] as const) {
    it(`reads ${count} events in ${pages} pages, each from the last event of the one before`, async () => {
      const { log, checked, messages } = check(inTurn(count));
      expect([await messages(), checked.count, log.pages]).to.deep.equal([['good'], count, pages]);
    });
  }

  it('goes on where it ended once the log has grown, and reads nothing otherwise', async () => {
    const { log, checked, messages } = check(inTurn(4));
    await messages();
    log.events = inTurn(7);
    expect([await messages(), checked.count, log.pages]).to.deep.equal([['good'], 7, 2]);
    expect([await messages(), checked.count, log.pages]).to.deep.equal([['good'], 7, 2]);
  });

  const all = inTurn(8);
  const without = (...positions: readonly number[]) => all.filter(({ position }) => !positions.includes(position));
  const faults: readonly (readonly [string, readonly PlacedEvent[], readonly string[]])[] = [
    [
      'a gap',
      without(3, 4).concat(placed(9, 'ent_3', 1)),
      [
        'Product prod_1 has no events from position 3 to 4.',
        'The event at position 5 of product prod_1 has the sequence 3 of entitlement ent_1, where 2 is expected.',
        'The event at position 6 of product prod_1 has the sequence 3 of entitlement ent_2, where 2 is expected.',
      ],
    ],
    [
      'two events at a position',
      [...all.slice(0, 4), placed(4, 'ent_3', 1, 'evt_other'), ...all.slice(4)],
      ['Position 4 of product prod_1 has more than one event.'],
    ],
    [
      'an id that two events have',
      [...all, placed(9, 'ent_3', 1, 'evt_2')],
      ['The event evt_2 at position 9 of product prod_1 has the id of another one.'],
    ],
    [
      'a first event that is not the first of its entitlement',
      [...all, placed(9, 'ent_3', 2)],
      ['The event at position 9 of product prod_1 has the sequence 2 of entitlement ent_3, where 1 is expected.'],
    ],
  ];
  for (const [what, events, expected] of faults) {
    it(`names ${what}`, async () => {
      expect(await check(events).messages()).to.deep.equal(expected);
    });
  }

  it('names two events at the position where a read ended', async () => {
    const { log, messages } = check(inTurn(4));
    await messages();
    log.events = [...all.slice(0, 4), placed(4, 'ent_3', 1, 'evt_other'), ...all.slice(4, 6)];
    expect(await messages()).to.deep.equal(['Position 4 of product prod_1 has more than one event.']);
  });

  it('names another event at the position where a read ended', async () => {
    const { log, messages } = check(inTurn(4));
    await messages();
    log.events = [...all.slice(0, 3), placed(4, 'ent_3', 1, 'evt_other'), ...all.slice(4, 6)];
    expect(await messages()).to.deep.equal(['Position 4 of product prod_1 has more than one event.']);
  });

  it('goes on with what is kept if all that it has read was removed meanwhile', async () => {
    const { log, checked, messages } = check(inTurn(4));
    await messages();
    log.events = inTurn(12).slice(6);
    expect([await messages(), checked.count, checked.isPruned]).to.deep.equal([['good'], 10, true]);
    expect([...checked.last].map(([id, { sequence }]) => [id, sequence])).to.deep.equal([
      ['ent_1', 6],
      ['ent_2', 6],
    ]);
  });

  it('ends if the log has become shorter', async () => {
    const { log, checked, messages } = check(inTurn(4));
    await messages();
    log.events = inTurn(2);
    expect([await messages(), checked.count]).to.deep.equal([['good'], 4]);
  });
});
