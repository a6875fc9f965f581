import type { Held } from '../../../core/feed/feed-follower.ts';
import type { Exchange } from './exchange.ts';

/** The requests of a port that are held until there is something to answer. */
export class Holds {
  readonly #held = new Set<Held>();
  #ended = false;

  /**
   * Waits until a held request is over. Its deadline is paused, and the time does not count as its duration. It ends early
   * when the client closes the connection or its side of it, because a client that is gone may have done no more than that.
   */
  async hold(exchange: Exchange, held: Held): Promise<boolean> {
    const { request, response, deadline } = exchange;
    const { socket } = request;
    const end = (): void => held.end();
    if (this.#ended || socket.readableEnded || response.destroyed) end();
    this.#held.add(held);
    socket.once('end', end);
    response.once('close', end);
    const start = performance.now();
    deadline.pause();
    const found = await held.over;
    deadline.resume();
    exchange.held = (exchange.held ?? 0) + performance.now() - start;
    socket.off('end', end);
    response.off('close', end);
    this.#held.delete(held);
    return found;
  }

  /** Ends every hold, and each later one at once. */
  endAll(): void {
    this.#ended = true;
    for (const held of this.#held) held.end();
  }
}
