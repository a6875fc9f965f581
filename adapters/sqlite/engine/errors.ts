import Database from 'better-sqlite3';
import { Refusal } from '../../../core/refusal.ts';

/** Returns whether the statement failed because another connection holds the lock that it needs. A retry can succeed. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** Turns an error of SQLite into `store_unavailable`; returns any other error unchanged. */
export function asRefusal(error: unknown): unknown {
  return error instanceof Database.SqliteError ? new Refusal('store_unavailable', { cause: error }) : error;
}
