import type { Call } from '../call.ts';
import type { OperatorKey } from '../key/operator/operator-key.ts';
import { isUsable } from '../key/stored-key.ts';
import { hour } from '../parsing/duration.ts';

/**
 * A session that an operator has begun with a key, as a store keeps it. Its token is shown once; only its digest is
 * stored.
 */
export interface OperatorSession {
  /** SHA-256 of the token, base64url. */
  readonly digest: string;
  readonly operatorKeyId: string;
  readonly createdAt: Date;
  /** Accurate to a sixtieth of the idle time. */
  readonly lastUsedAt: Date;
}

/** A session that gives access, with its key as it is stored now. */
export interface OpenOperatorSession {
  readonly session: OperatorSession;
  readonly operatorKey: OperatorKey;
}

/** The maximum age of a session, used or not, in milliseconds: a working day. */
export const maxSessionAge = 12 * hour;

/** The default of the time without use after which a session ends, in milliseconds. */
export const defaultConsoleIdle = hour;

/** Sessions that began or were last used at these instants or before have ended. */
export interface EndOfSessions {
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** The end of sessions at an instant, if they end after `idle` milliseconds without use. */
export function endOfSessions(idle: number, { now }: Pick<Call, 'now'>): EndOfSessions {
  return {
    createdAt: new Date(now.getTime() - maxSessionAge),
    lastUsedAt: new Date(now.getTime() - idle),
  };
}

/** Reports whether a session has ended by its age, for lack of use or with its key. */
export function hasEnded(
  { createdAt, lastUsedAt }: OperatorSession,
  key: OperatorKey,
  end: EndOfSessions,
  now: Date,
): boolean {
  return createdAt <= end.createdAt || lastUsedAt <= end.lastUsedAt || !isUsable(key, now);
}

/** Reports whether a use at this instant is to be written: at most sixty times in the idle time. */
export function isUseDue({ lastUsedAt }: OperatorSession, idle: number, now: Date): boolean {
  return now.getTime() - lastUsedAt.getTime() >= idle / 60;
}
