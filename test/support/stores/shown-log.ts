import { expect } from 'chai';
import { EventFaults, EventIds } from '../../../core/check/event-faults.ts';
import { LogCheck } from '../../../core/check/log-check.ts';
import type { EventPage, Events, PlacedEvent } from '../../../core/feed/events.port.ts';
import { aCall, anEvent, aSubscription } from '../builders.ts';
import { range } from '../range.ts';

/** The log of `prod_1`, as a store that may be damaged shows it. */
export class ShownLog implements Events {
  events: readonly PlacedEvent[];
  /** The last position, if it is not the one of the last event. */
  counted: number | null = null;
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
    return this.counted ?? this.events.at(-1)?.position ?? 0;
  }

  async lastPositions(): Promise<ReadonlyMap<string, number>> {
    return new Map([['prod_1', await this.lastPosition()]]);
  }

  async catchUp(): Promise<void> {}

  async prune(): Promise<number> {
    return 0;
  }
}

/** An event at a position, of the entitlement at its turn, whose version is its sequence. */
export function placedEvent(
  position: number,
  entitlementId: string,
  sequence: number,
  id = `evt_${position}`,
): PlacedEvent {
  return { position, event: anEvent(aSubscription({ id: entitlementId, sequence, version: sequence }), { id }) };
}

/** Events of `ent_1` and `ent_2` in turn, from the position 1 on. */
export function inTurn(count: number): readonly PlacedEvent[] {
  return range(count).map((index) =>
    placedEvent(index + 1, index % 2 === 0 ? 'ent_1' : 'ent_2', Math.floor(index / 2) + 1),
  );
}

/** A check of a log, which returns the faults that it has found so far. */
export function checkOf(events: readonly PlacedEvent[]) {
  const [log, faults] = [new ShownLog(events), new EventFaults('events')];
  const checked = new LogCheck({ events: log, faults, ids: new EventIds() }, 'prod_1');
  const messages = async (): Promise<readonly string[]> => {
    await checked.readOn(aCall);
    return faults.findings('good').map(({ message }) => message);
  };
  return { log, checked, messages };
}
