import type { Finding } from '../maintenance/maintenance.port.ts';

/** Faults that are named one by one. Further ones are counted. */
const maxNamed = 10;

/** Gathers the faults in one aspect of the events. */
export class EventFaults {
  readonly #check: Finding['check'];
  readonly #named: string[] = [];
  #count = 0;

  constructor(check: Finding['check']) {
    this.#check = check;
  }

  /** Adds a fault, as a message for the administrator. */
  add(message: string): void {
    this.#count += 1;
    if (this.#named.length < maxNamed) this.#named.push(message);
  }

  /** The findings: one for each fault that is named, or a single one that all is well. */
  findings(passed: string): readonly Finding[] {
    if (this.#count === 0) return [{ check: this.#check, ok: true, message: passed }];
    const more = this.#count - this.#named.length;
    const messages = more === 0 ? this.#named : [...this.#named, `There are ${more} more faults of this kind.`];
    return messages.map((message) => ({ check: this.#check, ok: false, message }));
  }
}

/** The ids of events that were seen: about 100 bytes of memory each. */
export class EventIds {
  /** By the last character of the id, because a set holds some 16 million texts at most. */
  readonly #parts = new Map<string, Set<string>>();

  /** Adds an id. Returns false if it was there already. */
  add(id: string): boolean {
    const end = id.slice(-1);
    const part = this.#parts.get(end) ?? new Set<string>();
    this.#parts.set(end, part);
    const { size } = part;
    return part.add(id).size > size;
  }
}
