import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { EndOfSessions, OperatorSession } from '../../../core/operator-session/operator-session.ts';
import { prunedSessions, type OperatorSessions } from '../../../core/operator-session/operator-sessions.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** A row of `operator_sessions`. */
interface SessionRow {
  readonly digest: string;
  readonly operator_key_id: string;
  readonly created_at: number;
  readonly last_used_at: number;
}

const sessionsTable = table<SessionRow>('operator_sessions', {
  digest: true,
  operator_key_id: true,
  created_at: true,
  last_used_at: true,
});

export class SqliteOperatorSessions implements OperatorSessions {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], SessionRow>;
  readonly #insert: Statement<[SessionRow]>;
  readonly #use: Statement<[{ digest: string; at: number }]>;
  readonly #remove: Statement<[string]>;
  readonly #prune: Statement<[{ createdAt: number; lastUsedAt: number }]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(sessionsTable)} WHERE digest = ?`);
    this.#insert = connection.prepare(insertInto(sessionsTable));
    this.#use = connection.prepare(
      'UPDATE operator_sessions SET last_used_at = @at WHERE digest = @digest AND last_used_at < @at',
    );
    this.#remove = connection.prepare('DELETE FROM operator_sessions WHERE digest = ?');
    this.#prune = connection.prepare(`
      DELETE FROM operator_sessions WHERE digest IN (
        SELECT digest FROM operator_sessions
        WHERE created_at <= @createdAt OR last_used_at <= @lastUsedAt LIMIT ${prunedSessions}
      )`);
  }

  async add(session: OperatorSession, call: Call): Promise<void> {
    await this.#database.write(call, () => this.#insert.run(toSessionRow(session)));
  }

  find(digest: string, call: Call): Promise<OperatorSession | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(digest), fromSessionRow));
  }

  async recordUse(digest: string, at: Date, call: Call): Promise<void> {
    await this.#database.write(call, () => this.#use.run({ digest, at: at.getTime() }));
  }

  async remove(digest: string, call: Call): Promise<void> {
    await this.#database.erase(call, () => this.#remove.run(digest));
  }

  prune({ createdAt, lastUsedAt }: EndOfSessions, call: Call): Promise<number> {
    const end = { createdAt: createdAt.getTime(), lastUsedAt: lastUsedAt.getTime() };
    return this.#database.erase(call, () => this.#prune.run(end).changes);
  }
}

function toSessionRow({ digest, operatorKeyId, createdAt, lastUsedAt }: OperatorSession): SessionRow {
  const times = { created_at: createdAt.getTime(), last_used_at: lastUsedAt.getTime() };
  return { digest, operator_key_id: operatorKeyId, ...times };
}

function fromSessionRow(row: SessionRow): OperatorSession {
  return {
    digest: row.digest,
    operatorKeyId: row.operator_key_id,
    createdAt: new Date(row.created_at),
    lastUsedAt: new Date(row.last_used_at),
  };
}
