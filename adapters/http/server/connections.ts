import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodeOf, isGone, isLate, requestHeadOf, type ParserError } from './parser-error.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { refuse } from '../refusals.ts';
import { sendRaw } from './send.ts';
import type { Service } from './http-service.ts';
import { RequestQueue } from './request-queue.ts';
import type { UnparsedRequest } from './unparsed-request.ts';

/** Requests run out of time many at once, when as many began at once: so many are answered in one turn of the event loop. */
const lateAtOnce = 50;

interface Connection {
  readonly turns: RequestQueue;
  /** How many requests have arrived on it. */
  requests: number;
  /** The exchange that it began last. */
  latest: Exchange | null;
  /** Whether it has been given up: what still arrives on it is no request. */
  ended: boolean;
}

/** What is known of each connection, and what is answered on it beside the exchanges. */
export class Connections {
  readonly #service: Service;
  readonly #requestsEach: number;
  readonly #known = new WeakMap<Socket, Connection>();
  readonly #late: (() => void)[] = [];
  readonly #answerLate = (): void => {
    for (const answer of this.#late.splice(0, lateAtOnce)) answer();
    if (this.#late.length > 0) setImmediate(this.#answerLate);
  };
  readonly #begin = (exchange: Exchange): void => void this.#service.run(exchange);

  /** `requestsEach` is how many requests a connection may carry. */
  constructor(service: Service, requestsEach: number) {
    this.#service = service;
    this.#requestsEach = requestsEach;
  }

  /** Answers a request when its turn has come, unless its connection has been given up. */
  serve(request: IncomingMessage, response: ServerResponse, expectation: Exchange['expectation']): void {
    const { socket } = request;
    const connection = this.#of(socket);
    if (connection.ended) return;
    const exchange = this.#service.begin(request, response);
    exchange.expectation = expectation;
    // Node passes over what follows an upgrade in the same packet, even one that nobody takes up.
    if (request.headers.upgrade !== undefined) exchange.mustClose = true;
    // Node's own count answers by itself what comes behind the last request.
    if ((connection.requests += 1) === this.#requestsEach) exchange.mustClose = true;
    connection.latest = exchange;
    if (connection.turns.take(exchange)) return;
    connection.ended = true;
    socket.destroy();
  }

  /** Ends a connection on which nothing has moved for long, unless it is we who are late. */
  giveUp(socket: Socket): void {
    if (!this.#of(socket).turns.busy) socket.destroy();
  }

  /** Node leaves the socket of a CONNECT to whoever listens, without a listener for its errors. */
  refuseTunnel(request: IncomingMessage, socket: Socket): void {
    this.#of(socket).ended = true;
    socket.on('error', () => socket.destroy());
    socket.resume();
    const { method = '', url: target = '' } = request;
    this.#answerInTurn(socket, { code: 'method_not_allowed', head: { method, target, origin: undefined }, request });
  }

  /** Answers what the parser gave up. Whatever else arrives on the connection makes the parser report it again. */
  refuseBroken(error: ParserError, socket: Socket): void {
    const connection = this.#of(socket);
    if (connection.ended) return;
    connection.ended = true;
    const { latest } = connection;
    const broken = latest !== null && !latest.request.complete ? latest : null;
    if (broken !== null) broken.mustClose = true;
    if (!isLate(error)) return this.#answerBroken(error, socket, broken);
    if (this.#late.push(() => this.#answerBroken(error, socket, broken)) === 1) setImmediate(this.#answerLate);
  }

  #answerBroken(error: ParserError, socket: Socket, broken: Exchange | null): void {
    const code = errorCodeOf(error);
    if (isGone(error) || !socket.writable) socket.destroy();
    else if (broken === null) this.#answerInTurn(socket, { code, head: requestHeadOf(error), request: null });
    else if (broken.response.writableEnded) socket.destroy();
    else if (!broken.request.complete) this.#service.fail(broken, refuse(code));
  }

  /** The answers of a connection go out in the order of its requests (RFC 9112 §9.3.2). */
  #answerInTurn(socket: Socket, unparsed: UnparsedRequest): void {
    const answered = this.#service.answerUnparsed(unparsed);
    const response = this.#of(socket).latest?.response;
    if (response === undefined || response.writableFinished) sendRaw(socket, answered);
    else response.once('finish', () => sendRaw(socket, answered));
  }

  #of(socket: Socket): Connection {
    const known = this.#known.get(socket);
    if (known !== undefined) return known;
    const connection = { turns: new RequestQueue(this.#begin), requests: 0, latest: null, ended: false };
    this.#known.set(socket, connection);
    return connection;
  }
}
