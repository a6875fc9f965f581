import type { Statement } from 'better-sqlite3';
import type { Call, NewCall } from '../../../core/call.ts';
import type {
  AddOutcome,
  AllEntitlements,
  ChangeOutcome,
  EntitlementKeys,
} from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { existingValues, type ExistingValues } from '../engine/existing-values.ts';
import { mapOrNull } from '../engine/nullable.ts';
import { inPages } from '../engine/pages.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom } from '../engine/table.ts';
import { entitlementsTable, fromEntitlementRow, toEntitlementRow, type EntitlementRow } from './entitlement-row.ts';
import { replaceLicenseSql, replaceSql, type ReplaceParameters } from './replace-sql.ts';

export class SqliteAllEntitlements implements AllEntitlements {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], EntitlementRow>;
  readonly #findByLicense: Statement<[string], EntitlementRow>;
  readonly #page: Statement<[string, number], EntitlementRow>;
  readonly #pageOfProduct: Statement<[string, string, number], EntitlementRow>;
  readonly #existingIds: ExistingValues;
  readonly #existingDigests: ExistingValues;
  readonly #insert: Statement<[EntitlementRow]>;
  readonly #replace: Statement<[ReplaceParameters]>;
  readonly #replaceLicense: Statement<[ReplaceParameters]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(entitlementsTable);
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE id = ?`);
    this.#findByLicense = connection.prepare(`${select} WHERE license_digest = ?`);
    this.#page = connection.prepare(`${select} WHERE id > ? ORDER BY id LIMIT ?`);
    this.#pageOfProduct = connection.prepare(`${select} WHERE product_id = ? AND id > ? ORDER BY id LIMIT ?`);
    this.#existingIds = existingValues(database, entitlementsTable, 'id');
    this.#existingDigests = existingValues(database, entitlementsTable, 'license_digest');
    this.#insert = connection.prepare(insertInto(entitlementsTable));
    this.#replace = connection.prepare(replaceSql);
    this.#replaceLicense = connection.prepare(replaceLicenseSql);
  }

  find(id: string, call: Call): Promise<Entitlement | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromEntitlementRow));
  }

  findByLicense(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#database.read(call, () => mapOrNull(this.#findByLicense.get(digest), fromEntitlementRow));
  }

  async *list(productId: string | null, newCall: NewCall): AsyncIterable<Entitlement> {
    const readPage = (after: string, size: number): readonly EntitlementRow[] =>
      productId === null ? this.#page.all(after, size) : this.#pageOfProduct.all(productId, after, size);
    for await (const page of inPages(this.#database, newCall, readPage, ({ id }) => id)) {
      yield* page.map(fromEntitlementRow);
    }
  }

  async add(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]> {
    return Promise.all(entitlements.map((entitlement) => this.#addOne(entitlement, call)));
  }

  async findExisting(
    { ids, digests }: EntitlementKeys<readonly string[]>,
    call: Call,
  ): Promise<EntitlementKeys<ReadonlySet<string>>> {
    return { ids: await this.#existingIds(ids, call), digests: await this.#existingDigests(digests, call) };
  }

  change(seen: Entitlement, next: Entitlement, call: Call): Promise<ChangeOutcome> {
    return this.#database.write(call, () => {
      const stored = this.#find.get(seen.id);
      if (stored?.revision !== seen.revision) return { kind: 'stale' };
      if (next.license !== null && this.#isHeldByAnother(next.license.digest, seen.id))
        return { kind: 'license taken' };
      const sameLicense = stored.license_digest === (next.license?.digest ?? null);
      const replace = sameLicense ? this.#replace : this.#replaceLicense;
      replace.run({ ...toEntitlementRow(next), seen: seen.revision });
      return { kind: 'changed' };
    });
  }

  #addOne(entitlement: Entitlement, call: Call): Promise<AddOutcome> {
    return this.#database.write(call, () => {
      if (this.#find.get(entitlement.id) !== undefined) return { kind: 'id taken' };
      const { license } = entitlement;
      if (license !== null && this.#isHeldByAnother(license.digest, entitlement.id)) return { kind: 'license taken' };
      this.#insert.run(toEntitlementRow(entitlement));
      return { kind: 'added' };
    });
  }

  #isHeldByAnother(digest: string, id: string): boolean {
    const holder = this.#findByLicense.get(digest);
    return holder !== undefined && holder.id !== id;
  }
}
