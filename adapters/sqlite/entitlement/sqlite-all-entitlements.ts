import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type {
  Addition,
  AddOutcome,
  AllEntitlements,
  EntitlementKeys,
  EntitlementPart,
  LicenseTaken,
  NewestPart,
} from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import type { LicenseMoves, Replacement } from '../../../core/entitlement/license/license-moves.port.ts';
import { existingValues, existingWhere, type ExistingValues } from '../engine/large-reads.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { mapOrNull, selectFrom } from '../engine/table.ts';
import type { EventLog } from '../event/event-log.ts';
import { EntitlementPages } from './entitlement-pages.ts';
import {
  entitlementsTable,
  fromEntitlementRow,
  insertFreeSql,
  toEntitlementRow,
  type EntitlementRow,
  type InsertParameters,
} from './entitlement-row.ts';
import { HistoryChunks, toLine } from './sqlite-entitlement-history.ts';
import { EntitlementUpdates } from './sqlite-entitlements.ts';

export class SqliteAllEntitlements implements AllEntitlements, LicenseMoves {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], EntitlementRow>;
  readonly #findByLicense: Statement<[string], EntitlementRow>;
  readonly #pages: EntitlementPages;
  readonly #existingIds: ExistingValues;
  readonly #existingDigests: ExistingValues;
  readonly #existingReferences: ExistingValues;
  readonly #insert: Statement<[InsertParameters]>;
  readonly #updates: EntitlementUpdates;
  readonly #history: HistoryChunks;
  readonly #log: EventLog;

  constructor(database: SqliteDatabase, log: EventLog) {
    const { connection } = database;
    const select = selectFrom(entitlementsTable);
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE id = ?`);
    this.#findByLicense = connection.prepare(`${select} WHERE license_digest = ?`);
    this.#pages = new EntitlementPages(database);
    this.#existingIds = existingValues(database, entitlementsTable, 'id');
    this.#existingDigests = existingValues(database, entitlementsTable, 'license_digest');
    this.#existingReferences = existingReferences(database);
    this.#insert = connection.prepare(insertFreeSql);
    this.#updates = new EntitlementUpdates(database);
    this.#history = new HistoryChunks(database);
    this.#log = log;
  }

  find(id: string, call: Call): Promise<Entitlement | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromEntitlementRow));
  }

  findByLicense(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#database.read(call, () => mapOrNull(this.#findByLicense.get(digest), fromEntitlementRow));
  }

  page(part: EntitlementPart | NewestPart, call: Call): Promise<readonly Entitlement[]> {
    return this.#database.read(call, () => this.#pages.read(part).map(fromEntitlementRow));
  }

  async add(additions: readonly Addition[], call: Call): Promise<readonly AddOutcome[]> {
    return Promise.all(additions.map((addition) => this.#addOne(addition, call)));
  }

  async findExisting(
    { ids, digests, references }: EntitlementKeys<readonly string[]>,
    call: Call,
  ): Promise<EntitlementKeys<ReadonlySet<string>>> {
    return {
      ids: await this.#existingIds(ids, call),
      digests: await this.#existingDigests(digests, call),
      references: await this.#existingReferences(references, call),
    };
  }

  replace(
    seen: Entitlement,
    next: Entitlement,
    changeRecord: ChangeRecord,
    call: Call,
  ): Promise<ReplaceOutcome<LicenseTaken>> {
    return this.#database.write(call, () => {
      const stored = this.#find.get(seen.id);
      if (stored?.revision !== seen.revision) return { kind: 'stale' };
      if (next.license !== null && this.#isHeldByAnother(next.license.digest, seen.id))
        return { kind: 'license taken' };
      this.#update(stored, { seen, next, changeRecord }, call);
      return { kind: 'replaced' };
    });
  }

  move(from: Replacement, to: Replacement | Addition, call: Call): ReturnType<LicenseMoves['move']> {
    return this.#database.write(call, () => {
      const stored = this.#find.get(from.seen.id);
      if (stored?.revision !== from.seen.revision) return { kind: 'stale' };
      const refused = this.#reasonAgainst(to, from.seen.id);
      if (refused !== null) return refused;
      this.#update(stored, from, call);
      if ('seen' in to) this.#update(this.#find.get(to.seen.id) ?? stored, to, call);
      else this.#addNow(to, call);
      return { kind: 'replaced' };
    });
  }

  /** The reason that keeps the second half of a move from being stored; null for nothing. */
  #reasonAgainst(to: Replacement | Addition, from: string): Awaited<ReturnType<LicenseMoves['move']>> | null {
    const { id, productId, reference, license } = 'seen' in to ? to.next : to.entitlement;
    const stored = this.#find.get(id);
    if ('seen' in to && stored?.revision !== to.seen.revision) return { kind: 'stale' };
    if (!('seen' in to) && stored !== undefined) return { kind: 'id taken' };
    const holder = license === null ? undefined : this.#findByLicense.get(license.digest);
    if (holder !== undefined && holder.id !== id && holder.id !== from) return { kind: 'license taken' };
    const [known] = reference === null ? [] : this.#pages.read({ productId, reference, after: null, limit: 1 });
    return known === undefined || known.id === id ? null : { kind: 'reference taken' };
  }

  #update(stored: EntitlementRow, { seen, next, changeRecord }: Replacement, call: Call): void {
    this.#updates.replace(stored, toEntitlementRow(next), toLine(changeRecord.entry));
    this.#history.moveFull(seen.id, changeRecord.entry);
    this.#log.append(seen.productId, changeRecord.events, call.now);
  }

  #addOne(addition: Addition, call: Call): Promise<AddOutcome> {
    return this.#database.write(call, () => this.#addNow(addition, call));
  }

  #addNow({ entitlement, changeRecord }: Addition, call: Call): AddOutcome {
    const row = { ...toEntitlementRow(entitlement), recent_history: toLine(changeRecord.entry) };
    if (this.#insert.run(row).changes === 0) return { kind: this.#takenIn(entitlement) };
    this.#history.moveFull(entitlement.id, changeRecord.entry);
    this.#log.append(entitlement.productId, changeRecord.events, call.now);
    return { kind: 'added' };
  }

  /** Returns what kept an entitlement from being added. */
  #takenIn({ id, license }: Entitlement): Exclude<AddOutcome['kind'], 'added'> {
    if (this.#find.get(id) !== undefined) return 'id taken';
    if (license !== null && this.#isHeldByAnother(license.digest, id)) return 'license taken';
    return 'reference taken';
  }

  #isHeldByAnother(digest: string, id: string): boolean {
    const holder = this.#findByLicense.get(digest);
    return holder !== undefined && holder.id !== id;
  }
}

/** Prepares the look-up of references, each with its product as `referenceKey` writes them. */
function existingReferences(database: SqliteDatabase): ExistingValues {
  return existingWhere(
    database,
    `SELECT 1 FROM entitlements
    WHERE product_id = substr(value, 1, instr(value, '/') - 1) AND reference = substr(value, instr(value, '/') + 1)`,
  );
}
