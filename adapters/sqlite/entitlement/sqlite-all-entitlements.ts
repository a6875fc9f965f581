import type { Statement } from 'better-sqlite3';
import type { Call, NewCall } from '../../../core/call.ts';
import type {
  AddOutcome,
  AllEntitlements,
  ChangeOutcome,
  EntitlementKeys,
} from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { fromEntitlementRow, toEntitlementRow, type EntitlementRow } from './entitlement-row.ts';
import { insertSql, replaceLicenseSql, replaceSql, type ReplaceParameters } from './replace-sql.ts';
import { inPages } from '../engine/pages.ts';
import { presentValues, type PresentValues } from '../engine/existing-values.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

export class SqliteAllEntitlements implements AllEntitlements {
  readonly #store: SqliteStore;
  readonly #find: Statement<[string], EntitlementRow>;
  readonly #findByLicense: Statement<[string], EntitlementRow>;
  readonly #page: Statement<[string, number], EntitlementRow>;
  readonly #pageOfProduct: Statement<[string, string, number], EntitlementRow>;
  readonly #presentIds: PresentValues;
  readonly #presentDigests: PresentValues;
  readonly #insert: Statement<[EntitlementRow]>;
  readonly #replace: Statement<[ReplaceParameters]>;
  readonly #replaceLicense: Statement<[ReplaceParameters]>;

  constructor(store: SqliteStore) {
    const { connection } = store;
    this.#store = store;
    this.#find = connection.prepare('SELECT * FROM entitlements WHERE id = ?');
    this.#findByLicense = connection.prepare('SELECT * FROM entitlements WHERE license_digest = ?');
    this.#page = connection.prepare('SELECT * FROM entitlements WHERE id > ? ORDER BY id LIMIT ?');
    this.#pageOfProduct = connection.prepare(
      'SELECT * FROM entitlements WHERE product_id = ? AND id > ? ORDER BY id LIMIT ?',
    );
    this.#presentIds = presentValues(store, 'entitlements', 'id');
    this.#presentDigests = presentValues(store, 'entitlements', 'license_digest');
    this.#insert = connection.prepare(insertSql);
    this.#replace = connection.prepare(replaceSql);
    this.#replaceLicense = connection.prepare(replaceLicenseSql);
  }

  find(id: string, call: Call): Promise<Entitlement | null> {
    return this.#one(call, () => this.#find.get(id));
  }

  findByLicense(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#one(call, () => this.#findByLicense.get(digest));
  }

  async *list(productId: string | null, newCall: NewCall): AsyncIterable<Entitlement> {
    const page = (after: string, size: number): readonly EntitlementRow[] =>
      productId === null ? this.#page.all(after, size) : this.#pageOfProduct.all(productId, after, size);
    for await (const row of inPages(this.#store, newCall, page, ({ id }) => id)) yield fromEntitlementRow(row);
  }

  async add(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]> {
    return Promise.all(entitlements.map((entitlement) => this.#addOne(entitlement, call)));
  }

  async findExisting(
    { ids, digests }: EntitlementKeys<readonly string[]>,
    call: Call,
  ): Promise<EntitlementKeys<ReadonlySet<string>>> {
    return { ids: await this.#presentIds(ids, call), digests: await this.#presentDigests(digests, call) };
  }

  change(seen: Entitlement, next: Entitlement, call: Call): Promise<ChangeOutcome> {
    return this.#store.writes.write(call, () => {
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
    return this.#store.writes.write(call, () => {
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

  #one(call: Call, look: () => EntitlementRow | undefined): Promise<Entitlement | null> {
    return this.#store.reads.read(call, () => {
      const row = look();
      return row === undefined ? null : fromEntitlementRow(row);
    });
  }
}
