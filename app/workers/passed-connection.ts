import type { ChildProcess } from 'node:child_process';

/** A connection, as the primary holds it until a worker has taken it. */
interface Handle {
  close(): void;
}

/**
 * Closes the connection that a worker was given and has not taken when it ends. node:cluster forgets it: the connection
 * would stay open, and its client would wait for an answer. A worker is given one at a time.
 *
 * Reads the messages of node:cluster (lib/internal/cluster of Node 24), because it tells nobody of a connection on its way.
 */
export function closePassedConnection(child: ChildProcess): void {
  let passed: { readonly seq: unknown; readonly handle: Handle } | null = null;
  const send = child.send.bind(child);
  child.send = (message: object, ...rest: readonly unknown[]): boolean => {
    const [handle] = rest;
    if (isNewConnection(message) && isHandle(handle)) passed = { seq: message.seq, handle };
    return Reflect.apply(send, child, [message, ...rest]) as boolean;
  };
  child.on('internalMessage', (message: { readonly ack?: unknown }) => {
    if (passed !== null && message.ack === passed.seq) passed = null;
  });
  child.once('exit', () => {
    passed?.handle.close();
    passed = null;
  });
}

function isNewConnection(message: object): message is { readonly seq: unknown } {
  return 'act' in message && message.act === 'newconn' && 'seq' in message;
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
