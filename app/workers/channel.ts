import type { GuessLimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { Readings } from '../../adapters/metrics/merged-metrics.ts';
import type { AskForMail } from '../receivers/lost-keys.ts';
import type { Settings } from '../settings/settings.ts';
import type { Lender } from './borrowed-requests.ts';

type ParametersOf<Method> = Method extends (...parameters: infer Parameters) => unknown ? Parameters : never;
type AnswerOf<Method> = Method extends (...parameters: never[]) => infer Answer ? Awaited<Answer> : never;

/** A message between two processes. */
type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'fault'; readonly id: number };

/** The other process: a worker to the primary, and `process` to a worker. */
export interface OtherProcess {
  send(
    messages: readonly Message[],
    handle: undefined,
    options: undefined,
    onSent: (error: Error | null) => void,
  ): boolean;
  on(event: 'message', listener: (messages: readonly Message[]) => void): unknown;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls functions of another process, and answers its calls. Parameters and answers are cloned. */
export class Channel<Remote extends object> {
  readonly #other: OtherProcess;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: Message[] = [];
  #lastId = 0;
  #isClosed = false;

  /** `own` are the functions that the other process may call; `onFault` is called with the errors that they throw. */
  constructor(other: OtherProcess, own: object, onFault: (error: unknown) => void) {
    this.#other = other;
    const functions = new Map<string, unknown>(Object.entries(own));
    other.on('message', (messages) => {
      for (const message of messages) {
        if (message.kind === 'call') void this.#answer(message, functions.get(message.name), onFault);
        else this.#settle(message);
      }
    });
  }

  /** Calls a function of the other process. Rejects if that throws, or ends before it answers. */
  call<Name extends keyof Remote & string>(
    name: Name,
    ...parameters: ParametersOf<Remote[Name]>
  ): Promise<AnswerOf<Remote[Name]>>;
  call(name: string, ...parameters: readonly unknown[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(hasEnded());
    const id = (this.#lastId += 1);
    const { promise, ...waiting } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#send({ kind: 'call', id, name, parameters });
    return promise;
  }

  /** Rejects the calls without an answer, because the other process has ended. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(hasEnded());
    this.#waiting.clear();
  }

  async #answer(
    { id, parameters }: Message & { kind: 'call' },
    called: unknown,
    onFault: (error: unknown) => void,
  ): Promise<void> {
    try {
      if (typeof called !== 'function') throw new Error('another process has called a function that does not exist');
      this.#send({ kind: 'answer', id, answer: await Reflect.apply(called, undefined, parameters) });
    } catch (error) {
      onFault(error);
      this.#send({ kind: 'fault', id });
    }
  }

  #settle(message: Message & { kind: 'answer' | 'fault' }): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.answer);
    else waiting?.reject(new Error('another process of the server failed; its log line says why'));
  }

  /** Sends the messages of one turn of the event loop together, because each that is sent costs as much as a request. */
  #send(message: Message): void {
    if (this.#outbox.push(message) === 1) setImmediate(() => this.#flush());
  }

  /** Ignores what cannot be sent: then the other process has ended, and `close` rejects what waits for it. */
  #flush(): void {
    const messages = this.#outbox;
    this.#outbox = [];
    if (!this.#isClosed) this.#other.send(messages, undefined, undefined, () => undefined);
  }
}

function hasEnded(): Error {
  return new Error('another process of the server has ended');
}

/** Whether a worker listens, or why it cannot. The messages are for the user of the command line. */
export type Started = { readonly kind: 'listening'; readonly url: string } | Unusable;

export interface Unusable {
  readonly kind: 'unusable address' | 'unusable store';
  readonly message: string;
}

/** The functions of a worker that the primary calls. */
export interface WorkerFunctions {
  start(settings: Settings): Promise<Started>;
  /** Whether this process takes requests. */
  ready(): Promise<boolean>;
  /** The counts of the worker; empty if the server has no admin port. */
  readings(): Promise<Readings>;
  /** Answers at once, unless its event loop is blocked. */
  beat(): void;
  /** Accepts no more connections, and returns the last readings once those that it has are closed. */
  retire(): Promise<Readings>;
  /** Finishes the requests in flight, and returns the last readings. */
  stop(): Promise<Readings>;
  /** Ends the process, which has been stopped or has not started. */
  end(): void;
}

/** The functions of the primary that a worker calls. */
export interface PrimaryFunctions extends GuessLimitCounts, Lender {
  /** Whether every process takes requests. */
  ready(): Promise<boolean>;
  /** Has lost keys mailed. Returns the milliseconds until there is room, or null if it is taken. */
  askForKeys: AskForMail;
  /** Has an affiliate mailed a link. */
  askForLink: AskForMail;
  /** Whether the clock of this machine is trusted. */
  trustsClock(): Promise<boolean>;
}
