import type { Statement } from 'better-sqlite3';
import type { SqliteStore } from '../engine/sqlite-database.ts';

interface Numbers {
  /** The number of the last change. */
  readonly last: number;
  /** Changes up to this one are not all known any more: a listing was removed without a trace. */
  readonly forgotten: number;
}

/** Numbers the changes of listings one after another; no number is given twice. To be used within a read or a write. */
export class ListingChanges {
  readonly #numbers: Statement<[], Numbers>;
  readonly #advance: Statement<[]>;
  readonly #forget: Statement<[]>;

  constructor({ connection }: SqliteStore) {
    this.#numbers = connection.prepare('SELECT last, forgotten FROM listing_changes');
    this.#advance = connection.prepare('UPDATE listing_changes SET last = last + 1');
    this.#forget = connection.prepare('UPDATE listing_changes SET last = last + 1, forgotten = last + 1');
  }

  last(): number {
    return this.#read().last;
  }

  /** Whether every change after this one is known; none is after a number that was not given yet. */
  areKnownAfter(number: number): boolean {
    const { last, forgotten } = this.#read();
    return number >= forgotten && number <= last;
  }

  next(): number {
    this.#advance.run();
    return this.last();
  }

  /** To be called where listings are removed. */
  forget(): void {
    this.#forget.run();
  }

  #read(): Numbers {
    const numbers = this.#numbers.get();
    if (numbers === undefined) throw new Error('the numbers of changes of listings are missing');
    return numbers;
  }
}
