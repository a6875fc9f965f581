import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { httpUrl } from '../http-url.ts';

/** An address that cannot be listened on. The message names it, and the flag that changes it. */
export class UnusableAddress extends Error {}

/** Where to listen, and the flag that sets the port. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly flag: string;
}

/**
 * Starts to listen and returns the URL. Throws `UnusableAddress` if the address cannot be used. Later errors, such as a
 * connection that cannot be accepted, go to `onError`.
 */
export function listen(listener: Server, address: ListenAddress, onError: (error: Error) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(withMessage(error, address));
    listener.once('error', fail);
    listener.listen({ host: address.host, port: address.port }, () => {
      listener.off('error', fail).on('error', onError);
      resolve(urlOf(listener.address()));
    });
  });
}

type MessageOf = (address: ListenAddress) => string;

const notLocal: MessageOf = ({ host }) => `${host} is not an address of this machine: choose another with --host.`;
const unknownHost: MessageOf = ({ host }) => `The host name ${host} is unknown: choose another with --host.`;

const messages: ReadonlyMap<string | undefined, MessageOf> = new Map([
  ['EADDRINUSE', ({ host, port, flag }) => `Port ${port} of ${host} is in use: choose another with ${flag}.`],
  [
    'EACCES',
    ({ host, port, flag }) => `This user may not listen on port ${port} of ${host}: choose another with ${flag}.`,
  ],
  ['EADDRNOTAVAIL', notLocal],
  ['EAFNOSUPPORT', notLocal],
  ['ENOTFOUND', unknownHost],
  ['EAI_AGAIN', unknownHost],
]);

function withMessage(error: NodeJS.ErrnoException, address: ListenAddress): Error {
  const message = messages.get(error.code)?.(address);
  return message === undefined ? error : new UnusableAddress(message, { cause: error });
}

function urlOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return httpUrl(address.address, address.port);
}

/** Accepts no more connections, and leaves open those that there are. Resolves once all of them have closed. */
export function stopListening(listener: Server): Promise<void> {
  // The `close` of an HTTP server would also close idle connections, on which a request may be on its way.
  return new Promise((resolve) => void NetServer.prototype.close.call(listener, () => resolve()));
}

/**
 * Accepts no more connections, and closes those that are still open after `timeout` milliseconds. It does not wait for the
 * sockets of refused tunnels, which close by themselves.
 */
export async function closeServer(listener: Server, timeout: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      listener.closeAllConnections();
      resolve();
    }, timeout);
    listener.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Milliseconds after which a connection that accepts no further request has ended by itself. */
export function connectionTimeout(timeouts: {
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
}): number {
  return Math.max(timeouts.keepAliveTimeout, timeouts.requestTimeout);
}
