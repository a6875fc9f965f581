import type { ChildProcess } from 'node:child_process';

/** A connection, as the primary holds it until a worker has taken it. */
interface Handle {
  close(): void;
}

/** A message of node:cluster from a worker to the primary, as far as it is read here. */
interface FromWorker {
  readonly act?: 'queryServer' | 'close';
  /** The number of the message that is answered, which passed a connection. */
  readonly ack?: unknown;
  readonly accepted?: boolean;
}

/**
 * Closes the connections that node:cluster forgets, whose clients would wait for an answer in vain:
 *
 * 1. one that was on its way to a worker that ended, and
 * 2. one that the last worker refuses, because it has stopped listening.
 *
 * This is the issue "Handle leak when all workers shut down and then restart" of Node (nodejs/node#21746), closed without a
 * fix. Node emits no event for a connection on its way, so this reads the private messages of node:cluster. A worker is
 * passed one connection at a time.
 *
 * It can go once `RoundRobinHandle` (lib/internal/cluster/round_robin_handle.js) closes both: its `handoff` if the worker
 * ends without an answer, and its `distribute` if the server is closed. Until then the requests on their way to a worker that
 * is killed wait for ever without it, as `test/app/workers/replacement.test.ts` does.
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
