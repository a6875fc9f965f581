import { expect } from 'chai';
import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import { checkOf, inTurn, placedEvent } from '../../support/stores/shown-log.ts';

describe('the check of a log that is damaged', () => {
  const all = inTurn(8);
  const without = (...positions: readonly number[]) => all.filter(({ position }) => !positions.includes(position));
  const faults: readonly (readonly [string, readonly PlacedEvent[], readonly string[]])[] = [
    [
      'a gap',
      without(3, 4).concat(placedEvent(9, 'ent_3', 1)),
      [
        'Product prod_1 has no events at position 3 to 4.',
        'The event at position 5 of product prod_1 has the sequence 3 of entitlement ent_1, where 2 is expected.',
        'The event at position 6 of product prod_1 has the sequence 3 of entitlement ent_2, where 2 is expected.',
      ],
    ],
    [
      'two events at a position',
      [...all.slice(0, 4), placedEvent(4, 'ent_3', 1, 'evt_other'), ...all.slice(4)],
      ['Position 4 of product prod_1 has more than one event.'],
    ],
    [
      'an event behind one with a higher position',
      [...all.slice(0, 3), placedEvent(2, 'ent_3', 1, 'evt_other'), ...all.slice(3)],
      ['Position 2 of product prod_1 has more than one event.'],
    ],
    [
      'an id that two events have',
      [...all, placedEvent(9, 'ent_3', 1, 'evt_2')],
      ['The event evt_2 at position 9 of product prod_1 has the id of another one.'],
    ],
    [
      'a first event that is not the first of its entitlement',
      [...all, placedEvent(9, 'ent_3', 2)],
      ['The event at position 9 of product prod_1 has the sequence 2 of entitlement ent_3, where 1 is expected.'],
    ],
  ];
  for (const [what, events, expected] of faults) {
    it(`names ${what}`, async () => {
      expect(await checkOf(events).messages()).to.deep.equal(expected);
    });
  }

  const other = placedEvent(4, 'ent_3', 1, 'evt_other');
  const grown: readonly (readonly [string, readonly PlacedEvent[]])[] = [
    ['there are two events', [...all.slice(0, 4), other, ...all.slice(4)]],
    ['there is another event', [...all.slice(0, 3), other, ...all.slice(4)]],
    ['there is another event, the first that is kept', [other, ...all.slice(4)]],
    ['no event is shown any more', without(4)],
  ];
  for (const [what, events] of grown) {
    it(`names the position at which a read has ended if ${what}`, async () => {
      const { log, messages } = checkOf(inTurn(4));
      await messages();
      log.events = events;
      expect(await messages()).to.deep.equal(['Position 4 of product prod_1 has more than one event.']);
    });
  }

  it('ends if the log does not have the events that it counts', async () => {
    const { log, messages } = checkOf(inTurn(4));
    await messages();
    log.counted = 6;
    log.events = [];
    expect(await messages()).to.deep.equal(['good']);
    log.events = [...inTurn(4), other];
    expect(await messages()).to.deep.equal(['Position 4 of product prod_1 has more than one event.']);
  });
});
