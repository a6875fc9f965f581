import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ParserError } from './parser-error.ts';
import { Connections } from './connections.ts';
import type { Service } from './http-service.ts';

/** Milliseconds, but for the counts. */
export interface ListenerSettings {
  /** For the header section, and for the whole request. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** Between two requests of a connection. */
  readonly keepAliveTimeout: number;
  /** Further connections are closed as they come. */
  readonly maxConnections: number;
  /** The last of them closes its connection. */
  readonly requestsPerConnection: number;
}

export const listenerDefaults: ListenerSettings = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000, // longer than the idle timeout of the usual proxies, so that it is never us who close first
  maxConnections: 10_000,
  requestsPerConnection: 1000,
};

/** A server whose every byte is the service's: also what Node would otherwise answer by itself. */
export function createListener(service: Service, settings: ListenerSettings = listenerDefaults): Server {
  const connections = new Connections(service, settings.requestsPerConnection);
  const { headersTimeout, requestTimeout, keepAliveTimeout } = settings;
  const server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.min(1000, headersTimeout),
    requireHostHeader: false,
    highWaterMark: 16 * 1024,
    noDelay: true,
  });
  server.maxConnections = settings.maxConnections;
  server.timeout = Math.max(keepAliveTimeout, requestTimeout); // without a byte from or to the client
  // A client may close its side as soon as it has sent its request: it still gets its answer (RFC 9112 §9.6).
  Object.assign(server, { httpAllowHalfOpen: true });

  server.on('request', (request, response) => connections.serve(request, response, 'none'));
  server.on('checkContinue', (request, response) =>
    connections.serve(request, response, expectsContinueOnly(request) ? 'continue' : 'unknown'),
  );
  server.on('checkExpectation', (request, response) => connections.serve(request, response, 'unknown'));
  server.on('connect', (request, socket: Socket) => connections.refuseTunnel(request, socket));
  server.on('timeout', (socket) => connections.giveUp(socket));
  server.on('clientError', (error: ParserError, socket: Socket) => connections.refuseBroken(error, socket));
  return server;
}

/** Node takes any list with `100-continue` in it for that alone. */
function expectsContinueOnly({ headers: { expect = '' } }: IncomingMessage): boolean {
  return expect.split(',').every((expectation) => expectation.trim().toLowerCase() === '100-continue');
}
