import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Asked, Exchange } from '../exchange/exchange.ts';
import { refuse } from '../refusals.ts';
import { mayHaveSkipped, withoutUpgrade } from './declined-upgrade.ts';
import type { HttpService } from './http-service.ts';
import { errorCodeOf, isConnectionLost, isTimeout, requestHeadOf, type ParserError } from './parser-error.ts';
import { RequestQueue } from './request-queue.ts';
import { sendRaw } from './send.ts';
import type { UnparsedRequest } from './unparsed-request.ts';

/** Requests that began together time out together: at most this many are answered in one turn of the event loop. */
const maxTimeoutsPerTurn = 50;

/** The requests that have arrived on a socket so far. */
class Connection {
  readonly queue: RequestQueue;
  requestCount = 0;
  lastExchange: Exchange | null = null;
  /** Whether anything that still arrives is ignored. */
  isAbandoned = false;

  constructor(service: HttpService) {
    this.queue = new RequestQueue(
      (exchange) => void service.run(exchange),
      (answered, waiting) => service.holdBehind(answered, waiting),
    );
  }

  /** The exchange whose content is still arriving. */
  get incomplete(): Exchange | null {
    return this.lastExchange?.request.complete === false ? this.lastExchange : null;
  }

  /** Acts once every request so far has its response (RFC 9112 §9.3.2). */
  afterResponses(act: () => void): void {
    const response = this.lastExchange?.response;
    if (response === undefined || response.writableFinished) act();
    else response.once('finish', act);
  }
}

/**
 * Answers everything that can arrive on a socket, in the order of its arrival:
 *
 * 1. **A request** becomes an exchange and waits for its turn.
 * 2. **A request with an upgrade** is parsed again without it, and so comes back as a request.
 * 3. **A CONNECT** is refused.
 * 4. **Bytes that are no request**, or a request that does not arrive in time, are refused.
 *
 * Everything after a CONNECT or after such bytes is ignored. A socket on which nothing arrives is closed.
 */
export class Connections {
  readonly #service: HttpService;
  readonly #maxRequests: number;
  readonly #parse: (socket: Socket) => void;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #timedOut: (() => void)[] = [];

  /**
   * `maxRequests` is the maximum number of requests of one connection; `parse` begins to parse the bytes of a socket.
   */
  constructor(service: HttpService, maxRequests: number, parse: (socket: Socket) => void) {
    this.#service = service;
    this.#maxRequests = maxRequests;
    this.#parse = parse;
  }

  /** Whether a socket was opened before. */
  has(socket: Socket): boolean {
    return this.#bySocket.has(socket);
  }

  /** Expects requests on a socket. Calls `onClosed` once it has closed. */
  open(socket: Socket, onClosed: () => void): void {
    const connection = this.#connectionOf(socket);
    socket.once('close', () => {
      connection.queue.abandon();
      onClosed();
    });
  }

  /** 1. Answers a request when its turn comes. Closes the connection if too many wait on it. */
  serve(request: IncomingMessage, response: ServerResponse, expectation: Asked['expectation']): void {
    const { socket } = request;
    const connection = this.#connectionOf(socket);
    if (connection.isAbandoned) return;
    const exchange = this.#service.createExchange(request, response, expectation);
    if (mayHaveSkipped(request)) exchange.closeAfter('Node may have skipped what follows');
    // Counted here: with its own limit, Node would answer the requests after the last one itself.
    connection.requestCount += 1;
    if (connection.requestCount === this.#maxRequests) {
      exchange.closeAfter('the connection has carried its last request');
    }
    connection.lastExchange = exchange;
    if (connection.queue.enqueue(exchange)) return;
    connection.isAbandoned = true;
    socket.destroy();
  }

  /**
   * 2. Parses a request again, without its `Upgrade` field, once the responses before it have been sent. Until then,
   * Node has detached its parser from the socket. `rest` is the part of the packet after the header section.
   */
  declineUpgrade(request: IncomingMessage, socket: Socket, rest: Buffer): void {
    const connection = this.#connectionOf(socket);
    const destroy = (): void => void socket.destroy();
    const endIdle = (): void => this.endIdle(socket);
    socket.on('error', destroy).on('timeout', endIdle);
    connection.afterResponses(() => {
      if (socket.destroyed || connection.lastExchange?.mustClose === true) return;
      socket.off('error', destroy).off('timeout', endIdle);
      socket.unshift(Buffer.concat([withoutUpgrade(request), rest]));
      this.#parse(socket);
    });
  }

  /** 3. Refuses a CONNECT. Node hands over its socket without a listener for errors. */
  refuseTunnel(request: IncomingMessage, socket: Socket): void {
    const connection = this.#connectionOf(socket);
    connection.isAbandoned = true;
    socket.on('error', () => socket.destroy());
    socket.resume();
    const { method = '', url: target = '' } = request;
    const head = { method, target, origin: undefined };
    this.#refuseRaw(connection, socket, { code: 'method_not_allowed', head, request });
  }

  /**
   * 4. Answers bytes that the parser rejected. The parser reports everything that arrives after them as another error.
   */
  refuseBroken(error: ParserError, socket: Socket): void {
    const connection = this.#connectionOf(socket);
    if (connection.isAbandoned) return;
    connection.isAbandoned = true;
    const { incomplete } = connection;
    incomplete?.closeAfter('the content of the request broke off');
    const answer = (): void => {
      if (isConnectionLost(error) || !socket.writable) socket.destroy();
      else if (incomplete === null) this.#refuseHead(connection, socket, error);
      else this.#refuseContent(incomplete, socket, error);
    };
    if (!isTimeout(error)) answer();
    else if (this.#timedOut.push(answer) === 1) setImmediate(this.#answerTimedOut);
  }

  /** Closes a connection on which no byte has moved for the idle timeout, unless the service itself is late. */
  endIdle(socket: Socket): void {
    if (!this.#connectionOf(socket).queue.busy) socket.destroy();
  }

  #refuseHead(connection: Connection, socket: Socket, error: ParserError): void {
    this.#refuseRaw(connection, socket, { code: errorCodeOf(error), head: requestHeadOf(error), request: null });
  }

  /** Refuses a request that has begun as an exchange, unless it has been answered or its content has arrived after all. */
  #refuseContent(exchange: Exchange, socket: Socket, error: ParserError): void {
    if (exchange.response.writableEnded) socket.destroy();
    else if (!exchange.request.complete) this.#service.fail(exchange, refuse(errorCodeOf(error)));
  }

  /** Answers a request that has not become an exchange, on the socket itself and after the responses before it. */
  #refuseRaw(connection: Connection, socket: Socket, unparsed: UnparsedRequest): void {
    const answer = this.#service.answerUnparsed(unparsed);
    connection.afterResponses(() => sendRaw(socket, answer));
  }

  readonly #answerTimedOut = (): void => {
    for (const answer of this.#timedOut.splice(0, maxTimeoutsPerTurn)) answer();
    if (this.#timedOut.length > 0) setImmediate(this.#answerTimedOut);
  };

  #connectionOf(socket: Socket): Connection {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const connection = new Connection(this.#service);
    this.#bySocket.set(socket, connection);
    return connection;
  }
}
