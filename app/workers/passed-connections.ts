import type { ChildProcess } from 'node:child_process';

/** A connection, as the primary holds it until a worker has taken it. */
interface Handle {
  close(): void;
}

/** What node:cluster sends from a worker to the primary, as far as it is read here. */
interface FromWorker {
  readonly act?: 'queryServer' | 'close';
  /** The number of the message that is answered, which passed a connection. */
  readonly ack?: unknown;
  readonly accepted?: boolean;
}

/**
 * Closes the connections that node:cluster forgets, whose clients would wait for an answer in vain: one that was on its way
 * to a worker that ended, and one that the last worker refuses because it has stopped to listen.
 *
 * Reads the messages of node:cluster (lib/internal/cluster of Node 24), because it emits no event for a connection on its
 * way. A worker is passed one at a time.
 */
export class PassedConnections {
  readonly #listening = new Set<ChildProcess>();

  watch(child: ChildProcess): void {
    let passed: { readonly seq: unknown; readonly handle: Handle } | null = null;
    const send = child.send.bind(child);
    child.send = (message: object, ...rest: readonly unknown[]): boolean => {
      const [handle] = rest;
      if (isNewConnection(message) && isHandle(handle)) passed = { seq: message.seq, handle };
      return Reflect.apply(send, child, [message, ...rest]) as boolean;
    };
    child.on('internalMessage', ({ act, ack, accepted }: FromWorker) => {
      if (act === 'queryServer') this.#listening.add(child);
      if (act === 'close') this.#listening.delete(child);
      if (passed === null || ack !== passed.seq) return;
      // While any worker listens, node:cluster passes it to another one.
      if (accepted === false && this.#listening.size === 0) passed.handle.close();
      passed = null;
    });
    child.once('exit', () => {
      this.#listening.delete(child);
      passed?.handle.close();
      passed = null;
    });
  }
}

function isNewConnection(message: object): message is { readonly seq: unknown } {
  return 'act' in message && message.act === 'newconn' && 'seq' in message;
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
