import type { ErrorCode } from './models.ts';

/** The facts of a failed call. */
export interface Failure {
  /** The status of the answer; null if there was no usable one. */
  readonly status: number | null;
  /** The header `Error-Code`; null if a proxy answered, or nobody. Codes of later releases are possible. */
  readonly code: ErrorCode | (string & Record<never, never>) | null;
  /** Names the request in the logs of the service. */
  readonly correlationId: string | null;
  /** Milliseconds that the answer asks to wait before the next request; null if it says nothing of it. */
  readonly retryAfter: number | null;
  readonly cause?: unknown;
}

/** A call that failed. The subclasses say why. */
export class LatchkeyError extends Error {
  override readonly name: string = 'LatchkeyError';
  readonly status: Failure['status'];
  readonly code: Failure['code'];
  readonly correlationId: string | null;
  readonly retryAfter: number | null;
  /** Whether the same call can succeed later. Repeat cancel and resume with the same `idempotencyKey`. */
  readonly retryable: boolean;

  constructor(message: string, { status, code, correlationId, retryAfter, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.correlationId = correlationId;
    this.retryAfter = retryAfter;
    this.retryable = status === null || isRetryable(status);
  }
}

/** 400, and every other status without a class of its own: the request is wrong, and would fail again. */
export class InvalidRequestError extends LatchkeyError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the app key is missing, unknown, revoked or expired. */
export class AuthenticationError extends LatchkeyError {
  override readonly name = 'AuthenticationError';
}

/** 403: the app key lacks a scope. */
export class PermissionError extends LatchkeyError {
  override readonly name = 'PermissionError';
}

/** 404: no such listing, no such entitlement of the app key's product, or no such license of the product. */
export class NotFoundError extends LatchkeyError {
  override readonly name = 'NotFoundError';
}

/** 409: the state of the entitlement does not allow the change, or gives no access and so no receipt. */
export class ConflictError extends LatchkeyError {
  override readonly name = 'ConflictError';
}

/** 422: the idempotency key was used for another operation or entitlement. */
export class IdempotencyError extends LatchkeyError {
  override readonly name = 'IdempotencyError';
}

/** 429: too many requests, changes of one entitlement, or released devices. */
export class RateLimitError extends LatchkeyError {
  override readonly name = 'RateLimitError';
}

/** 408 and 5xx: the service failed. Neither the answer nor the effect of the request is known. */
export class ServiceError extends LatchkeyError {
  override readonly name = 'ServiceError';
}

/** No usable answer: the connection failed, or the answer was cut off or is not one of Latchkey. */
export class ConnectionError extends LatchkeyError {
  override readonly name = 'ConnectionError';
}

/** The client's `timeout` passed. `cause` is how the try before the last one failed. */
export class TimeoutError extends LatchkeyError {
  override readonly name = 'TimeoutError';
}

function isRetryable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
