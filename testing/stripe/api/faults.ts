import { knownOptions, type NamesOf } from '../../options/known-options.ts';
import type { Endpoint } from './endpoint.ts';

/** A request, as `GET /v1/subscriptions/:id` with the path as Stripe documents it, or `*` for every one. */
export type RequestPattern = '*' | `${'GET' | 'POST' | 'DELETE'} /v1/${string}`;

export interface FaultOptions {
  /** The number of requests. Default: 1. */
  readonly times?: number | undefined;
  /** Whether the request was carried out before it failed. Default: false. */
  readonly afterEffect?: boolean | undefined;
}

export interface StatusOptions extends FaultOptions {
  /** Seconds in the header Retry-After. */
  readonly retryAfter?: number | undefined;
}

/** An answer that was read from the shop and is not sent yet. */
export interface HeldAnswer {
  /** Resolves when a request has been carried out and its answer is held. */
  readonly arrived: Promise<void>;
  /** Sends the answer. Before the request has arrived: lets it pass. */
  readonly release: () => void;
}

export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: number | undefined }
  | { readonly kind: 'cut' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'hold'; readonly arrived: () => void; readonly released: Promise<void> };

interface Planned {
  readonly pattern: RequestPattern;
  readonly afterEffect: boolean;
  readonly fault: Fault;
  left: number;
}

const names: NamesOf<FaultOptions> = { times: true, afterEffect: true };

/** The faults of the next requests. */
export class Faults {
  #planned: Planned[] = [];

  /** Holds the next answer: the shop may change before it is sent. */
  hold(pattern: RequestPattern): HeldAnswer {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const fault = { kind: 'hold', arrived: arrived.resolve, released: released.promise } as const;
    this.#plan(pattern, fault, { afterEffect: true });
    return { arrived: arrived.promise, release: released.resolve };
  }

  /** Answers with a status, such as 429 or 500. */
  answer(pattern: RequestPattern, status: number, options: StatusOptions = {}): void {
    const { retryAfter, ...when } = knownOptions('faults.answer', { ...names, retryAfter: true }, options);
    this.#plan(pattern, { kind: 'status', status, retryAfter }, when);
  }

  /** Closes the connection without an answer. */
  cut(pattern: RequestPattern, options: FaultOptions = {}): void {
    this.#plan(pattern, { kind: 'cut' }, knownOptions('faults.cut', names, options));
  }

  /** Never answers. */
  hang(pattern: RequestPattern, options: FaultOptions = {}): void {
    this.#plan(pattern, { kind: 'hang' }, knownOptions('faults.hang', names, options));
  }

  /** Lets all further requests pass. */
  clear(): void {
    this.#planned = [];
  }

  /** Takes the fault of a request at this point, if one is planned. */
  take({ method, path }: Pick<Endpoint, 'method' | 'path'>, afterEffect: boolean): Fault | null {
    const planned = this.#planned.find(
      (each) => each.left > 0 && each.afterEffect === afterEffect && ['*', `${method} ${path}`].includes(each.pattern),
    );
    if (planned === undefined) return null;
    planned.left -= 1;
    return planned.fault;
  }

  #plan(pattern: RequestPattern, fault: Fault, { times = 1, afterEffect = false }: FaultOptions): void {
    this.#planned.push({ pattern, fault, afterEffect, left: times });
  }
}
