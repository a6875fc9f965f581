import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodeOf, isGone, requestHeadOf, type ParserError } from './broken-request.ts';
import type { Exchange } from './exchange.ts';
import { refuse } from './refusals.ts';
import { sendRaw } from './send.ts';
import type { Service } from './service.ts';
import type { UnservedRequest } from './unserved-request.ts';

/** Milliseconds, but for the counts. */
export interface ListenerSettings {
  /** For the header section, and for the whole request. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** Between two requests of a connection. */
  readonly keepAliveTimeout: number;
  /** Further connections are closed as they come. */
  readonly maxConnections: number;
}

export const listenerDefaults: ListenerSettings = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000, // longer than the idle timeout of the usual proxies, so that it is never us who close first
  maxConnections: 10_000,
};

/** A server whose every byte is the service's: also what Node would otherwise answer by itself. */
export function createListener(service: Service, settings: ListenerSettings = listenerDefaults): Server {
  const connections = new Connections(service);
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
  // A client may close its side as soon as it has sent its request: it still gets its answer (RFC 9112 §9.6).
  Object.assign(server, { httpAllowHalfOpen: true });

  server.on('request', (request, response) => {
    const exchange = connections.open(request, response);
    if (exchange !== null) void service.run(exchange);
  });
  server.on('checkContinue', (request, response) => {
    const exchange = connections.open(request, response);
    if (exchange === null) return;
    exchange.awaitsContinue = true;
    void service.run(exchange);
  });
  server.on('checkExpectation', (request, response) => {
    const exchange = connections.open(request, response);
    if (exchange === null) return;
    exchange.mustClose = true;
    service.fail(exchange, refuse('expectation_failed'));
  });
  server.on('connect', (request, socket: Socket) => connections.refuseTunnel(request, socket));
  server.on('clientError', (error: ParserError, socket: Socket) => connections.refuseBroken(error, socket));
  return server;
}

/** What is known of each connection: the exchange that it began last, and whether its bytes are still read as requests. */
class Connections {
  readonly #service: Service;
  readonly #latest = new WeakMap<Socket, Exchange>();
  readonly #ended = new WeakSet<Socket>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Begins an exchange, unless the connection has been given up: what still arrives on it is no request. */
  open(request: IncomingMessage, response: ServerResponse): Exchange | null {
    if (this.#ended.has(request.socket)) return null;
    const exchange = this.#service.begin(request, response);
    this.#latest.set(request.socket, exchange);
    // Node passes over what follows an upgrade in the same packet, even one that nobody takes up.
    if (request.headers.upgrade !== undefined) exchange.mustClose = true;
    return exchange;
  }

  /** Node leaves the socket of a CONNECT to whoever listens, without a listener for its errors. */
  refuseTunnel(request: IncomingMessage, socket: Socket): void {
    this.#ended.add(socket);
    socket.on('error', () => socket.destroy());
    socket.resume();
    const { method = '', url: target = '' } = request;
    this.#answerInTurn(socket, { code: 'method_not_allowed', head: { method, target, origin: undefined }, request });
  }

  /** Answers what the parser gave up. Whatever else arrives on the connection makes the parser report it again. */
  refuseBroken(error: ParserError, socket: Socket): void {
    if (this.#ended.has(socket)) return;
    this.#ended.add(socket);
    const latest = this.#latest.get(socket);
    const code = errorCodeOf(error);
    if (isGone(error) || !socket.writable) {
      socket.destroy();
    } else if (latest !== undefined && !latest.request.complete) {
      latest.mustClose = true;
      if (latest.response.writableEnded) socket.destroy();
      else this.#service.fail(latest, refuse(code));
    } else {
      this.#answerInTurn(socket, { code, head: requestHeadOf(error), request: null });
    }
  }

  /** The answers of a connection go out in the order of its requests (RFC 9112 §9.3.2). */
  #answerInTurn(socket: Socket, unserved: UnservedRequest): void {
    const { answer, correlationId } = this.#service.answerUnserved(unserved);
    const response = this.#latest.get(socket)?.response;
    if (response === undefined || response.writableFinished) sendRaw(socket, answer, correlationId);
    else response.once('finish', () => sendRaw(socket, answer, correlationId));
  }
}
