import type { Noted } from './record/noted.ts';
import type { VendorRecord } from './record/sold.ts';
import { textAt } from './record/values.ts';
import type { FileRecord } from './vendor-files.ts';

/**
 * Finds which of several deliveries of a record counts: the latest, or the last of those with the same instant. A
 * record of an export counts more than any delivery, because an export has the current state.
 */
export class Deliveries {
  readonly #noted: Noted;
  /** The number of records of the pass that have been read. */
  #read = 0;

  constructor(noted: Noted) {
    this.#noted = noted;
  }

  startPass(): void {
    this.#read = 0;
  }

  /** Notes the next record, and reports whether it counts among those so far. */
  note({ record, deliveredAt }: FileRecord): boolean {
    this.#read += 1;
    const name = nameOf(record);
    if (name === null) return true;
    const known = this.#known(name);
    const at = deliveredAt?.getTime() ?? Infinity;
    const counts = known === null || at > known.at || (at === known.at && deliveredAt !== null);
    if (counts) this.#noted.set(name, `${at} ${this.#read}`);
    return counts;
  }

  /** Reports whether the next record is one that counts. All have been noted before. */
  counts({ record }: FileRecord): boolean {
    this.#read += 1;
    const name = nameOf(record);
    return name === null || this.#known(name)?.position === this.#read;
  }

  #known(name: string): { readonly at: number; readonly position: number } | null {
    const note = this.#noted.find(name);
    if (note === null) return null;
    const [at, position] = note.split(' ');
    return { at: Number(at), position: Number(position) };
  }
}

/** The name under which a record is noted; null for one without an id. */
function nameOf(record: VendorRecord | null): string | null {
  const id = textAt(record, 'id');
  return id === null ? null : `delivery ${textAt(record, 'type') ?? ''} ${id}`;
}
