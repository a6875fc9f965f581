import type { Exchange } from '../exchange/exchange.ts';

/** So many requests may wait on one connection. */
const maxQueueLength = 100;

/**
 * The turns of the requests of one connection: each begins when the answer before it has left, so that what they do happens
 * in their order (RFC 9112 §9.3.2), and a client that does not read holds one answer in memory. The deadline of one that
 * waits stands still.
 */
export class RequestQueue {
  readonly #begin: (exchange: Exchange) => void;
  readonly #waiting: Exchange[] = [];
  #current: Exchange | null = null;
  readonly #onOver = (): void => {
    if (this.#waiting.length > 0) this.#onceSent();
  };
  readonly #next = (): void => {
    if (this.#current?.mustClose === true) return; // nothing more is carried out on it (RFC 9112 §9.6)
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next.deadline.resume();
    this.#start(next);
  };

  constructor(begin: (exchange: Exchange) => void) {
    this.#begin = begin;
  }

  /** Whether an exchange has begun and is not answered. */
  get busy(): boolean {
    return this.#current !== null && !this.#current.answered;
  }

  /** Begins an exchange, now or when its turn has come. False where too many wait already. */
  take(exchange: Exchange): boolean {
    const current = this.#current;
    if (current === null || (current.answered && current.response.writableFinished && !current.mustClose)) {
      this.#start(exchange);
      return true;
    }
    if (this.#waiting.length === maxQueueLength) return false;
    exchange.deadline.pause();
    this.#waiting.push(exchange);
    if (current.answered && this.#waiting.length === 1) this.#onceSent();
    return true;
  }

  #onceSent(): void {
    const response = this.#current?.response;
    if (response?.writableFinished === true) this.#next();
    else response?.once('finish', this.#next);
  }

  #start(exchange: Exchange): void {
    this.#current = exchange;
    if (exchange.answered) return; // what the parser gave up while it waited
    exchange.onOver = this.#onOver;
    this.#begin(exchange);
  }
}
