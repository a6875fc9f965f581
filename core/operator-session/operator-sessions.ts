import type { Call, NewCall } from '../call.ts';
import type { AuthenticateKey } from '../key/check-key.ts';
import type { OperatorKey } from '../key/operator/operator-key.ts';
import type { AllOperatorKeys } from '../key/operator/operator-keys.port.ts';
import { removeInParts } from '../maintenance/remove-in-parts.ts';
import type { Digest, NewSecret } from '../secret.ts';
import {
  endOfSessions,
  hasEnded,
  isUseDue,
  type OpenOperatorSession,
  type OperatorSession,
} from './operator-session.ts';
import type { OperatorSessions } from './operator-sessions.port.ts';

/** A session that was begun. */
export interface BegunSession extends OpenOperatorSession {
  /** The only copy of the token, which later requests present. */
  readonly token: string;
}

/** Begins a session with an operator key. Refuses with `invalid_operator_key`, as `AuthenticateKey` does. */
export type SignIn = (presentedKey: string, call: Call) => Promise<BegunSession>;

export function signIn(
  sessions: OperatorSessions,
  authenticate: AuthenticateKey<OperatorKey>,
  newToken: NewSecret,
  digest: Digest,
): SignIn {
  return async (presentedKey, call) => {
    const operatorKey = await authenticate(presentedKey, call);
    const token = newToken();
    const times = { createdAt: call.now, lastUsedAt: call.now };
    const session: OperatorSession = { digest: digest(token), operatorKeyId: operatorKey.id, ...times };
    await sessions.add(session, call);
    return { token, session, operatorKey };
  };
}

/**
 * Finds the session of a token, with its key and scopes as they are stored now, and records the use. Returns null if it
 * has ended: the token is unknown, the session was signed out of, is too old or was not used for too long, or its key was
 * revoked or has expired.
 */
export type FindOperatorSession = (token: string, call: Call) => Promise<OpenOperatorSession | null>;

/** A session ends after `idle` milliseconds without use. */
export function findOperatorSession(
  sessions: OperatorSessions,
  operatorKeys: Pick<AllOperatorKeys, 'find'>,
  digest: Digest,
  idle: number,
): FindOperatorSession {
  return async (token, call) => {
    const session = await sessions.find(digest(token), call);
    if (session === null) return null;
    const operatorKey = await operatorKeys.find(session.operatorKeyId, call);
    if (operatorKey === null || hasEnded(session, operatorKey, endOfSessions(idle, call), call.now)) return null;
    if (isUseDue(session, idle, call.now)) await recordUse(sessions, session, call);
    return { session, operatorKey };
  };
}

/**
 * Records a use in half of the time that is left. A store that cannot be written is one whose operator needs the console, so
 * a failure is ignored: the session ends a little sooner.
 */
async function recordUse(sessions: OperatorSessions, { digest }: OperatorSession, call: Call): Promise<void> {
  const reserved = call.deadline.remaining() / 2;
  const deadline = { remaining: () => call.deadline.remaining() - reserved };
  await sessions.recordUse(digest, call.now, { ...call, deadline }).catch(() => undefined);
}

/** Ends the session of a token. Once this resolves, every process refuses it. An unknown token changes nothing. */
export type SignOut = (token: string, call: Call) => Promise<void>;

export function signOut(sessions: OperatorSessions, digest: Digest): SignOut {
  return (token, call) => sessions.remove(digest(token), call);
}

/**
 * Removes the sessions that have ended by their age or after `idle` milliseconds without use, part by part, each with a
 * call of its own. Returns the number removed. The session of a key that has ended is not used any more, so it follows.
 */
export type PruneOperatorSessions = (idle: number, newCall: NewCall) => Promise<number>;

export function pruneOperatorSessions(sessions: OperatorSessions): PruneOperatorSessions {
  return (idle, newCall) => removeInParts((call) => sessions.prune(endOfSessions(idle, call), call), newCall);
}
