import type { Server } from 'node:http';

/** Listens, and resolves to the address. What goes wrong afterwards, such as a connection that cannot be accepted, is for `onError`. */
export function listen(
  listener: Server,
  { host, port }: { readonly host: string; readonly port: number },
  onError: (error: Error) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port }, () => {
      listener.off('error', reject).on('error', onError);
      resolve(urlOf(listener.address()));
    });
  });
}

function urlOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/**
 * Takes no more connections, and closes those that are still open after `patience` milliseconds. It waits no longer than
 * that: what a refused tunnel still lingers is its own.
 */
export async function closeServer(listener: Server, patience: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      listener.closeAllConnections();
      resolve();
    }, patience);
    listener.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
