import { textOf } from './answer/body.ts';
import { isObject, isText, type Members } from './answer/forms.ts';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  LatchkeyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  type Failure,
} from './errors.ts';
import {
  initOf,
  limitsOf,
  urlOf,
  type Attempt,
  type ClientRequest,
  type ConnectionOptions,
  type Limits,
  type RequestParts,
  type SharedOptions,
  type Target,
} from './request.ts';
import { parseRetryAfter, retryDelay, Timer } from './time/timer.ts';

/** The connection by which a client sends its requests. */
export interface Transport extends Target, Limits {
  readonly fetch: typeof globalThis.fetch;
  readonly onAttempt: SharedOptions['onAttempt'];
}

/**
 * Creates the connection of a client with these options. Throws `TypeError` or `RangeError` for options that cannot be
 * used.
 */
export function createTransport({ baseUrl, fetch, ...shared }: ConnectionOptions, key: string | null): Transport {
  return {
    baseUrl: baseUrlOf(baseUrl),
    key,
    // Called as a plain function, which browsers demand, and looked up late, so that tests can replace it.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    ...limitsOf(shared, { timeout: 30_000, retries: 3 }),
    onAttempt: shared.onAttempt,
  };
}

function baseUrlOf(baseUrl: string | undefined): string {
  const rule = 'baseUrl must be the http or https URL of the service, without query and fragment';
  if (baseUrl === undefined || !URL.canParse(baseUrl)) throw new TypeError(rule);
  const { protocol, search, hash } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') throw new TypeError(rule);
  return baseUrl.replace(/\/$/, '');
}

/** The body of a success: a JSON object. */
export type Answer = Members;

/** Bytes that an answer about a license, and the message of a failure, may have. The service sends less than 64 KiB. */
export const smallAnswer = 262_144;

/** Bytes that any other success may have: a page of a hundred events has less than 2 MiB. */
const largeAnswer = 16_777_216;

/**
 * Sends a request, and sends it again, with the same headers, after failures that another try may not meet. Retries are
 * not held, because the time for that may be over. Throws a `LatchkeyError`, or the reason of the caller's signal.
 */
export async function send(transport: Transport, request: ClientRequest): Promise<Answer> {
  const { timeout, retries } = limitsOf(request, transport);
  if (request.needsKey === true && transport.key === null)
    throw new TypeError('appKey is missing: entitlements and events need the app key of a product');
  const timer = new Timer(timeout + (request.wait ?? 0) * 1000, request.signal);
  const init = initOf(transport, request);
  let url = urlOf(transport, request);
  let before: LatchkeyError | null = null;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await tryOnce(transport, request, { url, init, timer, attempt });
      if (!(outcome instanceof LatchkeyError)) return outcome;
      timer.throwIfAborted();
      if (timer.signal.aborted) throw timeoutError(timeout, before);
      const delay = retryDelay(attempt, outcome.retryAfter, Math.random);
      if (!outcome.retryable || attempt > retries || delay >= timer.remaining()) throw outcome;
      before = outcome;
      url = urlOf(transport, { ...request, wait: 0 });
      await timer.sleep(delay);
      timer.throwIfAborted();
    }
  } finally {
    timer.stop();
  }
}

/** Sends a request whose success says so: `success` is true. Throws a `LatchkeyError`. */
export async function succeed(transport: Transport, request: ClientRequest): Promise<Answer> {
  const answer = await send(transport, request);
  if (answer['success'] !== true) throw unusable('The answer is not one of Latchkey');
  return answer;
}

/** Sends a request and returns the `data` of its success, an object. */
export async function dataOf(transport: Transport, request: ClientRequest): Promise<Members> {
  const { data } = await succeed(transport, request);
  if (!isObject(data)) throw unusable('The answer is not one of Latchkey');
  return data;
}

/** Sends a request and returns its success, a page: `data` is a list, and `meta` an object. */
export async function pageOf(transport: Transport, request: ClientRequest): Promise<Answer> {
  const page = await succeed(transport, request);
  if (!Array.isArray(page['data']) || !isObject(page['meta'])) throw unusable('The answer is not one of Latchkey');
  return page;
}

interface Try {
  readonly url: string;
  readonly init: RequestParts;
  readonly timer: Timer;
  readonly attempt: number;
}

/** Sends a request once, and reports how that went. */
async function tryOnce(transport: Transport, request: ClientRequest, own: Try): Promise<Answer | LatchkeyError> {
  const start = performance.now();
  const { outcome, response } = await exchange(transport.fetch, request, own);
  const isError = outcome instanceof LatchkeyError;
  const done: Attempt = {
    method: request.method,
    path: request.path,
    attempt: own.attempt,
    milliseconds: performance.now() - start,
    status: response?.status ?? null,
    correlationId: response?.headers.get('X-Request-Id') ?? null,
    etag: response?.headers.get('ETag') ?? null,
    replayed: response?.headers.get('Idempotent-Replayed') === 'true',
    error: isError ? outcome : null,
  };
  for (const report of [transport.onAttempt, request.onAttempt]) {
    try {
      report?.(done);
    } catch {
      // A log that fails is no reason to let the call fail.
    }
  }
  return outcome;
}

interface Exchanged {
  readonly outcome: Answer | LatchkeyError;
  readonly response: Response | null;
}

/** Sends a request and reads the whole answer, because a connection can also fail in the middle of it. */
async function exchange(fetch: Transport['fetch'], request: ClientRequest, own: Try): Promise<Exchanged> {
  try {
    return await own.timer.race(answerTo(fetch, request, own));
  } catch (cause) {
    return { outcome: new ConnectionError(connectionMessage(cause), { ...nothingKnown, cause }), response: null };
  }
}

async function answerTo(fetch: Transport['fetch'], request: ClientRequest, own: Try): Promise<Exchanged> {
  const { signal } = own.timer;
  const response = await fetch(own.url, { ...own.init, signal });
  const { maxBytes = largeAnswer } = request;
  const text = await textOf(response, response.ok ? maxBytes : Math.min(maxBytes, smallAnswer), signal);
  if (text === null) return { outcome: unusable('The answer is too long to be one of Latchkey', response), response };
  const body = objectIn(text);
  if (!response.ok) return { outcome: errorOf(messageOf(response, body), failureOf(response)), response };
  return { outcome: body ?? unusable('The answer is cut off, or is not one of Latchkey', response), response };
}

const classes: Readonly<Record<number, typeof LatchkeyError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: ServiceError,
  409: ConflictError,
  422: IdempotencyError,
  429: RateLimitError,
};

/** Makes the error of an answer that is not a success. */
function errorOf(message: string, failure: Failure & { readonly status: number }): LatchkeyError {
  const { status } = failure;
  const ErrorClass = classes[status] ?? (status >= 500 ? ServiceError : InvalidRequestError);
  return new ErrorClass(message, failure);
}

const nothingKnown = { status: null, code: null, correlationId: null, retryAfter: null } as const;

/** Makes the error of a success that does not have the form of one. */
export function unusable(message: string, response: Response | null = null): ConnectionError {
  const correlationId = response?.headers.get('X-Request-Id') ?? null;
  return new ConnectionError(message, { ...nothingKnown, correlationId });
}

function failureOf({ status, headers }: Response) {
  return {
    status,
    code: headers.get('Error-Code'),
    correlationId: headers.get('X-Request-Id'),
    retryAfter: parseRetryAfter(headers.get('Retry-After'), Date.now()),
  };
}

function messageOf({ status }: Response, body: Answer | null): string {
  const error = body?.['error'];
  return isText(error) ? error : `The answer has the status ${status}, and is not one of Latchkey`;
}

function connectionMessage(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const detail = inner instanceof Error ? inner.message : '';
  return detail === '' ? 'The service could not be reached' : `The service could not be reached: ${detail}`;
}

function timeoutError(timeout: number, cause: LatchkeyError | null): TimeoutError {
  const failure = cause === null ? nothingKnown : { ...nothingKnown, correlationId: cause.correlationId, cause };
  return new TimeoutError(`The call did not succeed within ${timeout} ms`, failure);
}

/** The JSON object that a text is; null for any other text. */
function objectIn(text: string): Answer | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
