import type { Statement } from 'better-sqlite3';
import { keptDeletions } from '../../../core/catalog/listings.port.ts';
import { damagedStore } from '../engine/errors.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';

interface Numbers {
  /** The number of the latest change. */
  readonly last: number;
  /** The number up to which changes are no longer known. */
  readonly forgotten: number;
}

/** Numbers the changes of listings consecutively; a number is never reused. Call its methods within a read or a write. */
export class ListingChanges {
  readonly #numbers: Statement<[], Numbers>;
  readonly #advance: Statement<[]>;
  readonly #forget: Statement<[]>;
  readonly #noteDeletion: Statement<[string]>;
  readonly #forgetDeletions: Statement<[number]>;
  readonly #forgetBefore: Statement<[number]>;
  readonly #deletedAfter: Statement<[number], string>;

  constructor({ connection }: SqliteDatabase) {
    this.#numbers = connection.prepare('SELECT last, forgotten FROM listing_changes');
    this.#advance = connection.prepare('UPDATE listing_changes SET last = last + 1');
    this.#forget = connection.prepare('UPDATE listing_changes SET last = last + 1, forgotten = last + 1');
    this.#noteDeletion = connection.prepare(
      'INSERT INTO listing_deletions (change, slug) SELECT last, ? FROM listing_changes',
    );
    this.#forgetDeletions = connection.prepare('DELETE FROM listing_deletions WHERE change <= ?');
    this.#forgetBefore = connection.prepare('UPDATE listing_changes SET forgotten = max(forgotten, ?)');
    this.#deletedAfter = connection
      .prepare<[number], string>(
        'SELECT DISTINCT slug FROM listing_deletions WHERE change > ? AND slug NOT IN (SELECT slug FROM listings)',
      )
      .pluck();
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

  /** Takes the next number, and forgets what came before it: every follower loads the listings again. */
  forget(): void {
    this.#forget.run();
  }

  /** Takes the next number for the deletion of a listing. */
  noteDeletion(slug: string): void {
    const oldest = this.next() - keptDeletions;
    this.#noteDeletion.run(slug);
    if (this.#forgetDeletions.run(oldest).changes > 0) this.#forgetBefore.run(oldest);
  }

  /** The slugs of the listings that were deleted after a number that `after` knows, and not added again. */
  deletedAfter(number: number): readonly string[] {
    return this.#deletedAfter.all(number);
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
