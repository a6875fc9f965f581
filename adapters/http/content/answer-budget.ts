import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that a connection takes by itself while an answer waits on it. */
const connectionSize = 32 * 1024;

/** Bytes that a parsed request takes while it waits for its turn, without its address and its header fields. */
const requestSize = 4 * 1024;

/** Node counts the bytes for which the system has no room in the same way, for its idle timeout. */
type CountedSocket = Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null };

/** An answer that its client has yet to take. */
interface Waiting {
  readonly socket: CountedSocket;
  size: number;
  /** Content that other answers may have as well; null for content of its own. */
  readonly shared: Uint8Array | null;
  readonly onEnded: () => void;
  /** Changes with every byte that the system takes. */
  mark: number;
}

/**
 * The memory that the answers of a process may hold which wait for their clients, so that clients that do not read cannot
 * fill it. Beyond it, the connections end that have taken nothing for longest. One that has taken something since it was last
 * looked at is passed over.
 */
export class AnswerBudget {
  #left: number;
  /** Those that have taken nothing for longest first. */
  readonly #waiting = new Map<ServerResponse, Waiting>();
  readonly #shared = new Map<Uint8Array, number>();

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#left = limit;
  }

  /**
   * Holds an answer of `size` bytes until its client has taken it, or has left. Content in bytes counts once, however
   * many answers have it. Calls `onEnded` if the connection is ended to make room for others.
   */
  hold(response: ServerResponse, size: number, content: string | Uint8Array | null, onEnded: () => void): void {
    const { socket } = response;
    if (socket === null || socket.destroyed || this.#waiting.has(response)) return;
    const shared = typeof content === 'string' ? null : content;
    const waiting = {
      socket,
      size: connectionSize + (shared === null ? size : 0),
      shared,
      onEnded,
      mark: markOf(socket),
    };
    this.#waiting.set(response, waiting);
    this.#left -= waiting.size + this.#share(shared, 1);
    response.once('close', () => this.#give(response));
    if (this.#left < 0) this.#makeRoom();
  }

  /** Holds parsed requests as well, until the answer before them is taken. Does nothing if no answer waits there. */
  holdBehind(response: ServerResponse, exchanges: readonly { readonly request: IncomingMessage }[]): void {
    const waiting = this.#waiting.get(response);
    if (waiting === undefined) return;
    const size = exchanges.reduce((sum, { request }) => sum + sizeOf(request), 0);
    waiting.size += size;
    this.#left -= size;
    if (this.#left < 0) this.#makeRoom();
  }

  /** Ends connections until there is room. The last answer stays, however large it is. */
  #makeRoom(): void {
    for (const [response, waiting] of this.#waiting) {
      if (this.#left >= 0 || this.#waiting.size === 1) return;
      const mark = markOf(waiting.socket);
      if (mark === waiting.mark) this.#end(response, waiting);
      else {
        waiting.mark = mark;
        this.#waiting.delete(response);
        this.#waiting.set(response, waiting); // the loop comes to it again, after all others
      }
    }
  }

  #end(response: ServerResponse, { socket, onEnded }: Waiting): void {
    this.#give(response);
    socket.destroy();
    onEnded();
  }

  #give(response: ServerResponse): void {
    const waiting = this.#waiting.get(response);
    if (waiting === undefined) return;
    this.#waiting.delete(response);
    this.#left += waiting.size + this.#share(waiting.shared, -1);
  }

  /** Counts the answers with a content. Returns its size with the first and the last of them, and else 0. */
  #share(content: Uint8Array | null, change: 1 | -1): number {
    if (content === null) return 0;
    const count = (this.#shared.get(content) ?? 0) + change;
    if (count === 0) this.#shared.delete(content);
    else this.#shared.set(content, count);
    return count === (change === 1 ? 1 : 0) ? content.length : 0;
  }
}

function sizeOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, requestSize + url.length);
}

function markOf(socket: CountedSocket): number {
  const { _handle: handle } = socket;
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}
