import type { Call } from '../call.ts';
import type { EndOfSessions, OperatorSession } from './operator-session.ts';

/** Sessions that are removed by one call of `prune`: it holds the write lock of a file for about 2 ms. */
export const prunedSessions = 500;

/** The sessions of operators. Copies and backups of a store leave them out. */
export interface OperatorSessions {
  add(session: OperatorSession, call: Call): Promise<void>;

  /** Finds a session, ended or not, as it is stored now: a session removed before the call is not found. */
  find(digest: string, call: Call): Promise<OperatorSession | null>;

  /** Records a use. The store keeps the latest one. A session that was removed stays removed. */
  recordUse(digest: string, at: Date, call: Call): Promise<void>;

  /** Removes a session, if it is there. Once this resolves, no process finds it. */
  remove(digest: string, call: Call): Promise<void>;

  /** Removes at most `prunedSessions` of the sessions that have ended, and returns their number. */
  prune(end: EndOfSessions, call: Call): Promise<number>;
}
