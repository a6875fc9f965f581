import type { Statement } from 'better-sqlite3';
import { damagedStore } from '../engine/errors.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';

interface Numbers {
  /** The number of the latest change. */
  readonly last: number;
  /** The number of the latest deletion: `changesSince` an earlier number would miss it. */
  readonly forgotten: number;
}

/** Numbers the changes of listings consecutively; a number is never reused. Call its methods within a read or a write. */
export class ListingChanges {
  readonly #numbers: Statement<[], Numbers>;
  readonly #advance: Statement<[]>;
  readonly #forget: Statement<[]>;

  constructor({ connection }: SqliteDatabase) {
    this.#numbers = connection.prepare('SELECT last, forgotten FROM listing_changes');
    this.#advance = connection.prepare('UPDATE listing_changes SET last = last + 1');
    this.#forget = connection.prepare('UPDATE listing_changes SET last = last + 1, forgotten = last + 1');
  }

  /** Returns the number of the latest change. */
  last(): number {
    return this.#read().last;
  }

  /** Returns whether there are later changes; `unknown` if not all can be listed, or the number is not in use yet. */
  after(number: number): 'none' | 'some' | 'unknown' {
    const { last, forgotten } = this.#read();
    if (number < forgotten || number > last) return 'unknown';
    return number === last ? 'none' : 'some';
  }

  /** Takes the next number. */
  next(): number {
    this.#advance.run();
    return this.last();
  }

  /** Takes the next number for the deletion of a listing, after which no row has that number. */
  forget(): void {
    this.#forget.run();
  }

  #read(): Numbers {
    const numbers = this.#numbers.get();
    // SQLite reads NULL from a damaged page although the column is NOT NULL.
    if (numbers === undefined || !Number.isInteger(numbers.last) || !Number.isInteger(numbers.forgotten)) {
      throw damagedStore('the numbers of the changes of listings are missing');
    }
    return numbers;
  }
}
