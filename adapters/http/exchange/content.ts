import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { BodyBudget } from '../content/body-budget.ts';
import { stopReading } from '../content/stop-reading.ts';
import { refuse } from '../refusals.ts';
import { ClientGone, hasBody, isChunked } from './body.ts';
import { clientOf } from './client-address.ts';
import { bodyLimit, refusedSize } from './conformance.ts';

const firstCapacity = 1024;

/** So many chunks must have `minChunkSize` bytes on average. The last chunk of a body may have any size. */
const maxTinyChunks = 256;
const minChunkSize = 64;

/** Bytes that frame a chunk at least: `1\r\n`, its content, and `\r\n`. */
const minFraming = 5;

const nothing = Buffer.alloc(0);

type State =
  | { readonly kind: 'arriving' }
  | { readonly kind: 'complete' }
  /** It was refused, or its client has gone. */
  | { readonly kind: 'failed'; readonly error: Error };

/** The budgets that all contents share. */
export interface Contents {
  /** Shared by all ports of a process. */
  readonly bodies: BodyBudget;
  /** Whether an address is that of a trusted proxy, which brings the requests of many clients. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * The content of a request, which is kept in one buffer from its arrival on, however many chunks it comes in and however long
 * the request waits for its turn. What it holds is taken from the budget of the process, within the share of its client.
 */
export class Content {
  readonly #request: IncomingMessage;
  readonly #limit: number;
  readonly #budget: BodyBudget;
  /** The client whose share of the budget it is; null for a proxy, which has no share of its own. */
  readonly #client: string | null;
  #state: State = { kind: 'arriving' };
  #waiter: PromiseWithResolvers<void> | null = null;
  #buffer: Buffer = nothing;
  #size = 0;
  /** Bytes taken from the budget. */
  #taken = 0;
  readonly #chunks: Chunks | null;

  /** Takes content of at most `limit` bytes. */
  constructor(request: IncomingMessage, limit: number, { bodies, isProxy }: Contents) {
    const address = request.socket.remoteAddress ?? '';
    this.#request = request;
    this.#limit = limit;
    this.#budget = bodies;
    this.#client = isProxy(address) ? null : clientOf(address);
    this.#chunks = isChunked(request) ? new Chunks(request.socket) : null;
    request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
  }

  /** Whether it was refused, so that the connection has no further request. */
  get isRefused(): boolean {
    return this.#state.kind === 'failed' && !(this.#state.error instanceof ClientGone);
  }

  /**
   * Hands the content over once all of it has arrived. Refuses with `payload_too_large`, `body_too_fragmented` and
   * `too_many_bodies`; throws `ClientGone`.
   */
  async take(): Promise<Buffer> {
    if (this.#state.kind === 'arriving') {
      this.#waiter = Promise.withResolvers();
      await this.#waiter.promise;
    }
    if (this.#state.kind === 'failed') throw this.#state.error;
    const content = this.#buffer.subarray(0, this.#size);
    this.release();
    return content;
  }

  /** Gives back what it holds, and keeps nothing that still arrives. */
  release(): void {
    this.#stop();
    if (this.#state.kind === 'arriving') this.#end({ kind: 'failed', error: new ClientGone() });
    this.#buffer = nothing;
    this.#budget.give(this.#taken, this.#client);
    this.#taken = 0;
  }

  readonly #onData = (chunk: Buffer): void => {
    const size = this.#size + chunk.length;
    this.#chunks?.add(chunk.length);
    if (size > this.#limit) this.#refuse(refusedSize(this.#limit));
    else if (this.#chunks?.areTiny === true) this.#refuse(refuse('body_too_fragmented'));
    else if (!this.#keep(chunk, size)) this.#refuse(refuse('too_many_bodies'));
  };

  readonly #onEnd = (): void => {
    this.#stop();
    this.#end({ kind: 'complete' });
  };

  readonly #onClose = (): void => this.release();

  /** Keeps a chunk, with which the content has `size` bytes. Returns false if the budget has no room for it. */
  #keep(chunk: Buffer, size: number): boolean {
    const isFirst = this.#size === 0; // mostly it is the whole content, and needs no copy
    if (size > this.#buffer.length && !this.#grow(size, isFirst ? chunk : null)) return false;
    if (!isFirst) chunk.copy(this.#buffer, this.#size);
    this.#size = size;
    return true;
  }

  #grow(size: number, first: Buffer | null): boolean {
    const capacity = first?.length ?? Math.min(this.#limit, Math.max(size, 2 * this.#buffer.length, firstCapacity));
    if (!this.#budget.take(capacity - this.#taken, this.#client)) return false;
    this.#taken = capacity;
    const buffer = first ?? Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(buffer, 0, 0, this.#size);
    this.#buffer = buffer;
    return true;
  }

  #refuse(error: Error): void {
    this.#end({ kind: 'failed', error });
    this.release();
    stopReading(this.#request);
  }

  #end(state: State): void {
    this.#state = state;
    this.#waiter?.resolve();
  }

  #stop(): void {
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose).resume();
  }
}

/** Counts the chunks in which content arrives, from the pieces in which the parser reports it. */
class Chunks {
  readonly #socket: Socket;
  /** The bytes of the connection up to the end of the packet that began the request. Each piece in it is a chunk. */
  readonly #readAtFirst: number;
  #first = 0;
  #firstSize = 0;
  #later = 0;
  #size = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#readAtFirst = socket.bytesRead;
  }

  add(size: number): void {
    this.#size += size;
    if (this.#later > 0 || this.#socket.bytesRead > this.#readAtFirst) this.#later += 1;
    else {
      this.#first += 1;
      this.#firstSize += size;
    }
  }

  /**
   * Whether too many chunks were too small. A later piece may also be a part of a chunk that the network has cut, so the bytes
   * that frame chunks count as well.
   */
  get areTiny(): boolean {
    if (!isTiny(this.#first + this.#later, this.#size)) return false;
    const framing = this.#socket.bytesRead - this.#readAtFirst - (this.#size - this.#firstSize);
    return isTiny(this.#first + Math.min(this.#later, Math.floor(framing / minFraming)), this.#size);
  }
}

function isTiny(chunks: number, size: number): boolean {
  return chunks >= maxTinyChunks && size < chunks * minChunkSize;
}

/**
 * Begins to keep the content of a request, of at most `limit` bytes. Null for a request without content, or with what nothing
 * will take. Without a limit nothing takes any, but chunks are judged all the same.
 */
export function contentOf(request: IncomingMessage, limit: number | null, contents: Contents): Content | null {
  if (!hasBody(request)) return null;
  if (isChunked(request)) return new Content(request, limit ?? bodyLimit, contents);
  if (limit !== null && Number(request.headers['content-length']) <= limit)
    return new Content(request, limit, contents);
  request.resume();
  return null;
}
