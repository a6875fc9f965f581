import { MongoError, MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { Refusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';

/**
 * Error codes of a member that is no longer primary, shutting down, or not yet ready for majority reads, and of a router
 * that cannot reach a shard. They are those of MongoDB's specification of retryable reads.
 */
const transientCodes: readonly unknown[] = [
  6, 7, 89, 91, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436,
];

const duplicateKey = 11000;

const outOfDiskSpace = 14031;
const withoutRoom = 'The disk of MongoDB is full: make room, and look what was done before you try again.';

/**
 * Whether the connection or the primary was lost, so that another attempt may succeed. Whether a write was applied is
 * then unknown, even if only its write concern failed.
 */
export function isTransient(error: unknown): boolean {
  if (isSocketError(error) || error instanceof MongoNetworkError || error instanceof MongoWriteConcernError)
    return true;
  return error instanceof MongoServerError && isTransientCode(error.code);
}

/** Whether the driver failed without the answer of a server: no primary, no connection, a closed client. */
export function isOutOfReach(error: unknown): boolean {
  return isSocketError(error) || (error instanceof MongoError && !(error instanceof MongoServerError));
}

/** An error of Node itself, which the driver passes on as it is if the connection fails while a command is written to it. */
function isSocketError(error: unknown): error is NodeJS.ErrnoException {
  // The one of a write to a connection that the server has ended names no system call.
  return error instanceof Error && ('syscall' in error || ('code' in error && error.code === 'EPIPE'));
}

export function isTransientCode(code: unknown): boolean {
  return transientCodes.includes(code);
}

/** The field whose unique index refused a duplicate; null for any other error. */
export function duplicateField(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== duplicateKey) return null;
  const pattern = 'keyPattern' in error ? error.keyPattern : null;
  return typeof pattern === 'object' && pattern !== null ? (Object.keys(pattern).at(-1) ?? '') : '';
}

/**
 * Turns an error of MongoDB into `store_unavailable`, and returns any other as it is. Of a server's error only the code
 * is kept: its message may contain a stored value, such as an address or a key.
 */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof MongoError) && !isSocketError(error)) return error;
  if (error instanceof MongoServerError && error.code === outOfDiskSpace) {
    return new Refusal('store_unavailable', { cause: new UnusableStore(withoutRoom) });
  }
  const cause = error instanceof MongoServerError ? `${error.name} ${error.code}` : error;
  return new Refusal('store_unavailable', { cause });
}
