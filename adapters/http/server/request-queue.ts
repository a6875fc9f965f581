import type { Exchange } from '../exchange/exchange.ts';

/** Requests that may wait on one connection. */
const maxQueueLength = 100;

/**
 * Runs the pipelined requests of one connection one at a time. Each starts when the response before it has been sent, so
 * that their effects happen in the order of the requests (RFC 9112 §9.3.2) and a client that does not read holds one
 * response in memory. The deadline of a waiting request is paused.
 */
export class RequestQueue {
  readonly #run: (exchange: Exchange) => void;
  readonly #onBehind: (answered: Exchange, waiting: readonly Exchange[]) => void;
  readonly #waiting: Exchange[] = [];
  #current: Exchange | null = null;
  readonly #onSettled = (): void => {
    if (this.#waiting.length === 0) return;
    if (this.#current !== null) this.#onBehind(this.#current, this.#waiting);
    this.#startNextOnceSent();
  };
  readonly #startNext = (): void => {
    if (this.#current?.mustClose === true) return; // nothing after it is carried out (RFC 9112 §9.6)
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next.deadline.resume();
    this.#start(next);
  };

  /** Calls `onBehind` with requests that wait for a client to take the answer before them, with each of them once. */
  constructor(run: (exchange: Exchange) => void, onBehind: (answered: Exchange, waiting: readonly Exchange[]) => void) {
    this.#run = run;
    this.#onBehind = onBehind;
  }

  /** Whether a request is being handled and has no response yet. */
  get busy(): boolean {
    return this.#current !== null && !this.#current.answered;
  }

  /** Starts a request now or when its turn comes. Returns false if too many are waiting already. */
  enqueue(exchange: Exchange): boolean {
    const current = this.#current;
    if (current === null || (current.answered && current.response.writableFinished && !current.mustClose)) {
      this.#start(exchange);
      return true;
    }
    if (this.#waiting.length === maxQueueLength) return false;
    exchange.deadline.pause();
    this.#waiting.push(exchange);
    if (!current.answered) return true;
    this.#onBehind(current, [exchange]);
    if (this.#waiting.length === 1) this.#startNextOnceSent();
    return true;
  }

  /** Ends what still waits on a connection that has closed. None of it is carried out. */
  abandon(): void {
    for (const exchange of this.#waiting.splice(0)) exchange.content?.release();
  }

  #startNextOnceSent(): void {
    const response = this.#current?.response;
    if (response?.writableFinished === true) this.#startNext();
    else response?.once('finish', this.#startNext);
  }

  #start(exchange: Exchange): void {
    this.#current = exchange;
    if (exchange.answered) return; // the parser rejected it while it was waiting
    exchange.onSettled = this.#onSettled;
    this.#run(exchange);
  }
}
