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

interface Connection {
  readonly queue: RequestQueue;
  /** Requests that have arrived on it. */
  requestCount: number;
  /** The exchange that began last. */
  lastExchange: Exchange | null;
  /** Whether anything that still arrives on it is ignored. */
  abandoned: boolean;
}

/** Keeps the state of each connection, and answers on it what is not an exchange: broken requests and tunnels. */
export class Connections {
  readonly #service: HttpService;
  readonly #maxRequests: number;
  readonly #parse: (socket: Socket) => void;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #timedOut: (() => void)[] = [];
  readonly #answerTimedOut = (): void => {
    for (const answer of this.#timedOut.splice(0, maxTimeoutsPerTurn)) answer();
    if (this.#timedOut.length > 0) setImmediate(this.#answerTimedOut);
  };
  readonly #run = (exchange: Exchange): void => void this.#service.run(exchange);

  /** `maxRequests` is how many requests one connection may carry; `parse` begins to parse what a socket brings. */
  constructor(service: HttpService, maxRequests: number, parse: (socket: Socket) => void) {
    this.#service = service;
    this.#maxRequests = maxRequests;
    this.#parse = parse;
  }

  /** Answers a request when its turn comes, unless its connection has been abandoned. */
  serve(request: IncomingMessage, response: ServerResponse, expectation: Asked['expectation']): void {
    const { socket } = request;
    const connection = this.#connectionOf(socket);
    if (connection.abandoned) return;
    const exchange = this.#service.createExchange(request, response, expectation);
    if (mayHaveSkipped(request)) exchange.closeAfter('Node may have skipped what follows');
    // Counted here: with its own limit, Node would answer the requests after the last one itself.
    connection.requestCount += 1;
    if (connection.requestCount === this.#maxRequests) {
      exchange.closeAfter('the connection has carried its last request');
    }
    connection.lastExchange = exchange;
    if (connection.queue.enqueue(exchange)) return;
    connection.abandoned = true;
    socket.destroy();
  }

  /** Ends a connection on which no byte has moved for the idle timeout, unless the service itself is late. */
  endIdle(socket: Socket): void {
    if (!this.#connectionOf(socket).queue.busy) socket.destroy();
  }

  /**
   * Serves an upgrade request like any other, once the responses before it have been sent: Node has detached its parser from
   * the socket. `rest` is what the packet holds behind the header section.
   */
  declineUpgrade(request: IncomingMessage, socket: Socket, rest: Buffer): void {
    const { lastExchange } = this.#connectionOf(socket);
    const destroy = (): void => void socket.destroy();
    const endIdle = (): void => this.endIdle(socket);
    socket.on('error', destroy).on('timeout', endIdle);
    const parseAgain = (): void => {
      if (socket.destroyed || lastExchange?.mustClose === true) return;
      socket.off('error', destroy).off('timeout', endIdle);
      socket.unshift(Buffer.concat([withoutUpgrade(request), rest]));
      this.#parse(socket);
    };
    if (lastExchange === null || lastExchange.response.writableFinished) parseAgain();
    else lastExchange.response.once('finish', parseAgain);
  }

  /** Refuses a CONNECT. Node hands over its socket without a listener for errors. */
  refuseTunnel(request: IncomingMessage, socket: Socket): void {
    this.#connectionOf(socket).abandoned = true;
    socket.on('error', () => socket.destroy());
    socket.resume();
    const { method = '', url: target = '' } = request;
    this.#answerInOrder(socket, { code: 'method_not_allowed', head: { method, target, origin: undefined }, request });
  }

  /** Answers what the parser rejected. The parser reports everything that arrives after it as another error. */
  refuseBroken(error: ParserError, socket: Socket): void {
    const connection = this.#connectionOf(socket);
    if (connection.abandoned) return;
    connection.abandoned = true;
    const { lastExchange } = connection;
    const incomplete = lastExchange !== null && !lastExchange.request.complete ? lastExchange : null;
    incomplete?.closeAfter('the content of the request broke off');
    const answer = (): void => this.#answerBroken(error, socket, incomplete);
    if (!isTimeout(error)) answer();
    else if (this.#timedOut.push(answer) === 1) setImmediate(this.#answerTimedOut);
  }

  /** `incomplete` is the exchange whose content broke; null if the header section did. */
  #answerBroken(error: ParserError, socket: Socket, incomplete: Exchange | null): void {
    const code = errorCodeOf(error);
    if (isConnectionLost(error) || !socket.writable) socket.destroy();
    else if (incomplete === null) this.#answerInOrder(socket, { code, head: requestHeadOf(error), request: null });
    else if (incomplete.response.writableEnded) socket.destroy();
    else if (!incomplete.request.complete) this.#service.fail(incomplete, refuse(code));
  }

  /** Sends the answer after those to the requests before it (RFC 9112 §9.3.2). */
  #answerInOrder(socket: Socket, unparsed: UnparsedRequest): void {
    const answer = this.#service.answerUnparsed(unparsed);
    const response = this.#connectionOf(socket).lastExchange?.response;
    if (response === undefined || response.writableFinished) sendRaw(socket, answer);
    else response.once('finish', () => sendRaw(socket, answer));
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const connection = { queue: new RequestQueue(this.#run), requestCount: 0, lastExchange: null, abandoned: false };
    this.#bySocket.set(socket, connection);
    return connection;
  }
}
