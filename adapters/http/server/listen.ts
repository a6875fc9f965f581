import type { Server } from 'node:http';

/** The address cannot be listened on. The message names the address and the flag that chooses another. */
export class UnusableAddress extends Error {}

/** Where to listen, and which flag chooses the port. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly flag: string;
}

/**
 * Listens, and resolves to the address; throws `UnusableAddress` where that cannot be. What goes wrong afterwards, such as
 * a connection that cannot be accepted, is for `onError`.
 */
export function listen(listener: Server, place: Place, onError: (error: Error) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(explained(error, place));
    listener.once('error', fail);
    listener.listen({ host: place.host, port: place.port }, () => {
      listener.off('error', fail).on('error', onError);
      resolve(urlOf(listener.address()));
    });
  });
}

const noSuchAddress = ({ host }: Place): string => `${host} is no address of this machine: choose another with --host.`;
const noSuchName = ({ host }: Place): string => `The host name ${host} is not known: choose another with --host.`;

const reasons: ReadonlyMap<string | undefined, (place: Place) => string> = new Map([
  ['EADDRINUSE', ({ host, port, flag }) => `Port ${port} of ${host} is in use: choose another with ${flag}.`],
  ['EACCES', ({ host, port, flag }) => `Port ${port} of ${host} is not for this user: choose another with ${flag}.`],
  ['EADDRNOTAVAIL', noSuchAddress],
  ['EAFNOSUPPORT', noSuchAddress],
  ['ENOTFOUND', noSuchName],
  ['EAI_AGAIN', noSuchName],
]);

function explained(error: NodeJS.ErrnoException, place: Place): Error {
  const sentence = reasons.get(error.code)?.(place);
  return sentence === undefined ? error : new UnusableAddress(sentence, { cause: error });
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
