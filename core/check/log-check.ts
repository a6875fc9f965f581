import type { NewCall } from '../call.ts';
import type { Events, PlacedEvent } from '../feed/events.port.ts';
import { isOfEntitlement, subjectOf, type LoggedEvent } from '../feed/logged-event.ts';
import type { EventFaults, EventIds } from './event-faults.ts';

/** The last event of a subject in the log. */
export interface LastEvent {
  readonly sequence: number;
  /** The version of the entitlement that the event shows; null for any other subject. */
  readonly version: number | null;
}

/** The parts that a check of a log depends on. */
export interface LogCheckParts {
  readonly events: Events;
  readonly ids: EventIds;
  readonly faults: EventFaults;
}

/** Events that are read at once: about 5 ms of the process's time. */
const pageSize = 500;

/** Reads the log of a product while it grows: its positions, its ids, and the sequences of its subjects. */
export class LogCheck {
  readonly productId: string;
  readonly #parts: LogCheckParts;
  readonly #last = new Map<string, LastEvent>();
  #first = 0;
  #end: PlacedEvent<LoggedEvent> | null = null;
  #count = 0;

  constructor(parts: LogCheckParts, productId: string) {
    this.#parts = parts;
    this.productId = productId;
  }

  /** The number of events that were read. */
  get count(): number {
    return this.#count;
  }

  /** Reports whether events at the beginning of the log are no longer kept. */
  get isPruned(): boolean {
    return this.#first > 1;
  }

  /** The subjects of the log (`subjectOf`), each with its last event. */
  get last(): ReadonlyMap<string, LastEvent> {
    return this.#last;
  }

  /** Reads on to the end that the log has now, however fast it grows. */
  async readOn(newCall: NewCall): Promise<void> {
    const { events } = this.#parts;
    const last = await events.lastPosition(this.productId, newCall());
    for (let end = this.#position; end < last; end = this.#position) {
      // From the last event on, so that another one at its position is seen.
      const page = await events.page(this.productId, Math.max(0, end - 1), pageSize, newCall());
      const next = page.events.filter((placed) => !this.#isEnd(placed));
      const [oldest] = next;
      if (oldest === undefined) return;
      if (next.length === page.events.length && end > 0) await this.#passOver(oldest, newCall);
      for (const placed of next) this.#see(placed);
      if (this.#position <= end) return;
    }
  }

  /** The position of the last event that was read. */
  get #position(): number {
    return this.#end?.position ?? 0;
  }

  #isEnd({ position, event }: PlacedEvent<LoggedEvent>): boolean {
    return position === this.#end?.position && event.id === this.#end.event.id;
  }

  /** Continues with a page that does not begin with the last event, which was removed after its retention or is hidden. */
  async #passOver(oldest: PlacedEvent<LoggedEvent>, newCall: NewCall): Promise<void> {
    const end = this.#position;
    const { first } = await this.#parts.events.page(this.productId, 0, 1, newCall());
    if (first > end) {
      this.#end = null;
      this.#last.clear();
    } else if (oldest.position > end) this.#addRepeat(end);
  }

  #see(placed: PlacedEvent<LoggedEvent>): void {
    const { faults, ids } = this.#parts;
    const { position, event } = placed;
    const at = `at position ${position} of product ${this.productId}`;
    this.#seePosition(position);
    if (!ids.add(event.id)) faults.add(`The event ${event.id} ${at} has the id of another one.`);
    const subject = subjectOf(event);
    const version = isOfEntitlement(event) ? event.entitlement.version : null;
    const expected = this.#expectedSequence(subject);
    if (expected !== null && event.sequence !== expected) {
      faults.add(
        `The event ${at} has the sequence ${event.sequence} of ${nameOf(subject)}, where ${expected} is expected.`,
      );
    }
    this.#last.set(subject, { sequence: event.sequence, version });
    this.#count += 1;
    if (this.#end === null || position > this.#end.position) this.#end = placed;
  }

  #seePosition(position: number): void {
    const { faults } = this.#parts;
    const { productId } = this;
    if (this.#end === null) {
      this.#first = position;
      return;
    }
    const expected = this.#end.position + 1;
    if (position < expected) this.#addRepeat(position);
    if (position > expected) {
      const gap = position - 1 === expected ? `${expected}` : `${expected} to ${position - 1}`;
      faults.add(`Product ${productId} has no events at position ${gap}.`);
    }
  }

  #addRepeat(position: number): void {
    this.#parts.faults.add(`Position ${position} of product ${this.productId} has more than one event.`);
  }

  /** The sequence of the next event of a subject; null for the first one of a log whose beginning is not kept. */
  #expectedSequence(subject: string): number | null {
    const last = this.#last.get(subject);
    if (last !== undefined) return last.sequence + 1;
    return this.isPruned ? null : 1;
  }
}

/** The name of a subject in a fault. */
export function nameOf(subject: string): string {
  return subject.includes('/') ? subject.replace('/', ' ') : `entitlement ${subject}`;
}
