import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressShares } from './address-shares.ts';
import { Connections } from './connections.ts';
import { canParseAgain } from './declined-upgrade.ts';
import type { HttpService } from './http-service.ts';
import { connectionTimeout } from './listen.ts';
import { createServer } from './node-http.ts';
import type { ParserError } from './parser-error.ts';

/** Timeouts in milliseconds, and limits. */
export interface ListenerSettings {
  /** The time that a client may take to send the header section. */
  readonly headersTimeout: number;
  /** The time that a client may take to send the whole request. */
  readonly requestTimeout: number;
  /** The time that a connection may be idle between two requests. */
  readonly keepAliveTimeout: number;
  /** Further connections are closed as soon as they are accepted, and those of an address beyond a quarter of it. */
  readonly maxConnections: number;
  /** The response to the last of them closes the connection; 1000 by default. */
  readonly requestsPerConnection?: number;
}

/** Why a connection is closed as soon as it is accepted. */
export type RefusedFor = 'all connections' | 'connections of its address';

/** The questions and reports of a listener about connections. */
export interface ConnectionHooks {
  /** Whether an address is that of a trusted proxy, which brings the connections of many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly onRefused: (reason: RefusedFor) => void;
}

/** Creates a server on which the service makes every response, including those that Node would send by itself. */
export function createListener(
  service: HttpService,
  settings: ListenerSettings,
  { isProxy, onRefused }: ConnectionHooks,
): Server {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = settings;
  const server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.min(1000, headersTimeout),
    requireHostHeader: false,
    highWaterMark: 16 * 1024,
    noDelay: true,
    shouldUpgradeCallback: canParseAgain,
  });
  const parse = (socket: Socket): void => void server.emit('connection', socket);
  const connections = new Connections(service, settings.requestsPerConnection ?? 1000, parse);
  const shares = new AddressShares(settings.maxConnections, isProxy);
  server.maxConnections = settings.maxConnections;
  server.timeout = connectionTimeout(settings); // without a byte in either direction
  // A client may close its side once it has sent its request; it still gets the response (RFC 9112 §9.6).
  Object.assign(server, { httpAllowHalfOpen: true });
  // Otherwise workers that are full would pass a connection around among themselves for as long as they are.
  Object.assign(server, { dropMaxConnection: true });

  server.on('drop', () => onRefused('all connections'));
  server.on('connection', (socket) => {
    if (connections.has(socket)) return; // it is parsed again
    const give = shares.take(socket.remoteAddress ?? '');
    if (give === null) {
      onRefused('connections of its address');
      socket.destroy();
    } else connections.open(socket, give);
  });
  server.on('request', (request, response) => connections.serve(request, response, 'none'));
  server.on('checkContinue', (request, response) =>
    connections.serve(request, response, expectsOnlyContinue(request) ? 'continue' : 'unknown'),
  );
  server.on('checkExpectation', (request, response) => connections.serve(request, response, 'unknown'));
  server.on('upgrade', (request, socket: Socket, rest) => connections.declineUpgrade(request, socket, rest));
  server.on('connect', (request, socket: Socket) => connections.refuseTunnel(request, socket));
  server.on('timeout', (socket) => connections.endIdle(socket));
  server.on('clientError', (error: ParserError, socket: Socket) => connections.refuseBroken(error, socket));
  return server;
}

/** Whether `100-continue` is the only expectation: Node reports any list that contains it. */
function expectsOnlyContinue({ headers: { expect = '' } }: IncomingMessage): boolean {
  return expect.split(',').every((expectation) => expectation.trim().toLowerCase() === '100-continue');
}
