import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '../../../core/call.ts';
import type { Delivery, DeliveryOutcome, SendDelivery } from '../../../core/webhook/send-delivery.ts';
import { parseHttpDate } from '../operations/http-date.ts';
import { ForbiddenAddress, UnknownAddress, type AddressGuard } from './address-guard.ts';
import { messageBody, signaturesOf } from './webhook-message.ts';

/** The maximum time of a delivery, from the look-up of the name to the end of the answer, in milliseconds. */
const timeout = 15_000;

/** The maximum size of an answer, in bytes. Answers are read and thrown away. */
const maxAnswer = 64 * 1024;

/** The number of interim answers (1xx) after which a receiver counts as one that does not answer. */
const maxInterimAnswers = 100;

const forbiddenAddress = 'an address that is not allowed';

/** One reason for both, because a merchant must not learn which names there are in the network of the service. */
const hiddenAddress = 'an address that is unknown or not allowed';

class AnswerTooLarge extends Error {}
class TooManyInterimAnswers extends Error {}

/** Sends deliveries over HTTP, in the form of Standard Webhooks 1.0.0. */
export class WebhookSender {
  readonly #guard: AddressGuard;
  readonly #userAgent: string;
  readonly #clock: Clock;
  readonly #timeout: number;

  /** Signs by `clock`, as receivers compare it with their own. `timeLimit` is that of a delivery, in milliseconds. */
  constructor(guard: AddressGuard, userAgent: string, clock: Clock, timeLimit = timeout) {
    this.#guard = guard;
    this.#userAgent = userAgent;
    this.#clock = clock;
    this.#timeout = timeLimit;
  }

  /** See `SendDelivery`. */
  readonly send: SendDelivery = async (delivery, timeLimit = this.#timeout) => {
    const now = this.#clock();
    const late = new AbortController();
    // A timer of an AbortSignal would not keep the process running until the delivery has an outcome.
    const timer = setTimeout(() => late.abort(), Math.min(timeLimit, this.#timeout));
    try {
      return outcomeOf(await beforeAbort(this.#post(delivery, now, late.signal), late.signal), now);
    } catch (error) {
      const answer = late.signal.aborted ? 'no answer in time' : reasonOf(error, delivery.isPublicOnly);
      return { kind: 'failed', answer, status: null, retryAfter: null };
    } finally {
      clearTimeout(timer);
    }
  };

  /** Closes every connection. Deliveries in progress fail. */
  close(): void {
    this.#guard.close();
  }

  async #post(
    { url, isPublicOnly, keys, message }: Delivery,
    now: Date,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const target = new URL(url);
    const body = messageBody(message);
    const timestamp = Math.floor(now.getTime() / 1000);
    const agent = await this.#guard.agentFor(target, isPublicOnly);
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(target, {
      method: 'POST',
      agent,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': this.#userAgent,
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signaturesOf({ id: message.id, timestamp, body }, keys),
      },
    });
    request.on('response', (answer) => {
      discard(answer).then(() => resolve(answer), reject);
    });
    // A receiver that switches protocols has not accepted the delivery, and speaks HTTP no more.
    request.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer);
    });
    let interimAnswers = 0;
    request.on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > maxInterimAnswers) request.destroy(new TooManyInterimAnswers());
    });
    request.on('error', reject);
    request.end(body);
    return promise;
  }
}

/** Reads the body of an answer to its end and forgets it. Fails if it is too large or cut off. */
async function discard(answer: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > maxAnswer) throw new AnswerTooLarge();
  }
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage, now: Date): DeliveryOutcome {
  const answer = `status ${status}`;
  if (status >= 200 && status < 300) return { kind: 'delivered', answer, status };
  if (status === 410) return { kind: 'gone', answer, status };
  return { kind: 'failed', answer, status, retryAfter: retryAfterOf(headers['retry-after'], now) };
}

/** Reads a `Retry-After` field (RFC 9110 §10.2.3), which has seconds or a date. Returns milliseconds; null if unreadable. */
function retryAfterOf(field: string | undefined, now: Date): number | null {
  if (field === undefined) return null;
  const seconds = Number(field);
  if (field !== '' && Number.isSafeInteger(seconds) && seconds >= 0) return seconds * 1000;
  const at = parseHttpDate(field, now);
  return at === null ? null : Math.max(0, at.getTime() - now.getTime());
}

/** Why there is no answer, without an address or anything that the receiver sent. */
function reasonOf(error: unknown, isPublicOnly: boolean): string {
  if (error instanceof AnswerTooLarge) return 'an answer over 64 KiB';
  if (error instanceof TooManyInterimAnswers) return `over ${maxInterimAnswers} interim answers`;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  // The agent for public addresses throws an error that only its text tells from others.
  const isText = code === null && error instanceof Error && error.message.includes('is not allowed');
  const isForbidden = error instanceof ForbiddenAddress || isText;
  if (isPublicOnly && (isForbidden || error instanceof UnknownAddress)) return hiddenAddress;
  if (isForbidden) return forbiddenAddress;
  return code === null ? 'no answer' : `no connection (${code})`;
}

/** Rejects when the signal is aborted first. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
