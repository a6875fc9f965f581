import { MongoError, MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { Refusal } from '../../../core/refusal.ts';

/**
 * What a member answers that is no primary any more, about to stop, or too new for majority reads, and a router that
 * does not reach one; by the server's error codes, those of MongoDB's specification of retryable reads.
 */
const transientCodes: readonly unknown[] = [
  6, 7, 89, 91, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436,
];

const duplicateKey = 11000;

/**
 * Whether the connection or the primary was lost: another attempt may succeed. A read can simply be sent again; what
 * became of a write is unknown, also where only its write concern failed.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoWriteConcernError) return true;
  return error instanceof MongoServerError && isTransientCode(error.code);
}

/** Whether the driver gave up by itself, without an answer of a server: no primary, no connection, a client that is closed. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof MongoError && !(error instanceof MongoServerError);
}

export function isTransientCode(code: unknown): boolean {
  return transientCodes.includes(code);
}

/** The field in which a unique index refuses a second value, or null for any other error. */
export function duplicateField(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== duplicateKey) return null;
  const pattern = 'keyPattern' in error ? error.keyPattern : null;
  return typeof pattern === 'object' && pattern !== null ? (Object.keys(pattern).at(-1) ?? '') : '';
}

/**
 * What MongoDB could not do, as `store_unavailable`; anything else as it is. A server's message may repeat a stored
 * value (an address, a key), so that its number alone is kept.
 */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  const cause = error instanceof MongoServerError ? `${error.name} ${error.code}` : error;
  return new Refusal('store_unavailable', { cause });
}
