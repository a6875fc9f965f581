import type { Statement } from 'better-sqlite3';
import { maxLinks, type BuyerLink } from '../../../core/buyer/buyer-link.ts';
import { prunedLinks, type BuyerLinks } from '../../../core/buyer/buyer-links.port.ts';
import type { Call } from '../../../core/call.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** A row of `buyer_links`. Instants are milliseconds since 1970. */
interface LinkRow {
  readonly digest: string;
  readonly entitlement_id: string;
  readonly app_key_id: string | null;
  readonly return_url: string | null;
  readonly for_lost_keys: number;
  readonly created_at: number;
  readonly expires_at: number;
}

const linksTable = table<LinkRow>('buyer_links', {
  digest: true,
  entitlement_id: true,
  app_key_id: true,
  return_url: true,
  for_lost_keys: true,
  created_at: true,
  expires_at: true,
});

export class SqliteBuyerLinks implements BuyerLinks {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], LinkRow>;
  readonly #insert: Statement<[LinkRow]>;
  readonly #removeOldest: Statement<[string, number]>;
  readonly #removeAll: Statement<[string]>;
  readonly #prune: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(linksTable)} WHERE digest = ?`);
    this.#insert = connection.prepare(`${insertInto(linksTable)} ON CONFLICT DO NOTHING`);
    this.#removeOldest = connection.prepare(`
      DELETE FROM buyer_links WHERE digest IN (
        SELECT digest FROM buyer_links WHERE entitlement_id = ? AND for_lost_keys = ?
        ORDER BY created_at DESC, digest LIMIT -1 OFFSET ${maxLinks}
      )`);
    this.#removeAll = connection.prepare('DELETE FROM buyer_links WHERE entitlement_id = ?');
    this.#prune = connection.prepare(`
      DELETE FROM buyer_links WHERE digest IN (
        SELECT digest FROM buyer_links WHERE expires_at <= ? LIMIT ${prunedLinks}
      )`);
  }

  async add(link: BuyerLink, call: Call): Promise<void> {
    await this.#database.write(call, () => {
      const row = toLinkRow(link);
      this.#insert.run(row);
      this.#removeOldest.run(row.entitlement_id, row.for_lost_keys);
    });
  }

  find(digest: string, call: Call): Promise<BuyerLink | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(digest), fromLinkRow));
  }

  removeAll(subject: string, call: Call): Promise<number> {
    return this.#database.erase(call, () => this.#removeAll.run(subject).changes);
  }

  prune(end: Date, call: Call): Promise<number> {
    return this.#database.erase(call, () => this.#prune.run(end.getTime()).changes);
  }
}

function toLinkRow(link: BuyerLink): LinkRow {
  return {
    digest: link.digest,
    entitlement_id: link.subject,
    app_key_id: link.appKeyId,
    return_url: link.returnUrl,
    for_lost_keys: link.isForLostKeys ? 1 : 0,
    created_at: link.createdAt.getTime(),
    expires_at: link.expiresAt.getTime(),
  };
}

function fromLinkRow(row: LinkRow): BuyerLink {
  return {
    digest: row.digest,
    subject: row.entitlement_id,
    appKeyId: row.app_key_id,
    returnUrl: row.return_url,
    isForLostKeys: row.for_lost_keys === 1,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
  };
}
