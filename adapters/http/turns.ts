import type { Exchange } from './exchange.ts';

/**
 * The order of the requests of one connection: side by side as long as all of them only read, otherwise one after another
 * (RFC 9112 §9.3.2). The deadline of one that waits for its turn stands still.
 */
export class Turns {
  readonly #begin: (exchange: Exchange) => void;
  readonly #waiting: Exchange[] = [];
  #running = 0;
  /** Whether what runs does more than read. */
  #writing = false;
  readonly #next = (): void => {
    this.#running -= 1;
    let [next] = this.#waiting;
    while (next !== undefined && this.#mayBegin(next)) {
      this.#waiting.shift();
      next.deadline.resume();
      if (!next.answered) this.#start(next); // its content may have broken while it waited
      [next] = this.#waiting;
    }
  };

  constructor(begin: (exchange: Exchange) => void) {
    this.#begin = begin;
  }

  /** Begins an exchange, now or when its turn has come. */
  take(exchange: Exchange): void {
    if (this.#waiting.length === 0 && this.#mayBegin(exchange)) {
      this.#start(exchange);
    } else {
      exchange.deadline.pause();
      this.#waiting.push(exchange);
    }
  }

  #mayBegin(exchange: Exchange): boolean {
    return this.#running === 0 || (!this.#writing && isSafe(exchange));
  }

  #start(exchange: Exchange): void {
    this.#running += 1;
    this.#writing = !isSafe(exchange);
    exchange.onOver = this.#next;
    this.#begin(exchange);
  }
}

/** RFC 9110 §9.2.1; what the operation is does not matter. */
function isSafe({ request: { method } }: Exchange): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
