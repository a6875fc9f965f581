import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';
import { refuse, type ErrorCode } from './refusals.ts';
import { errorAnswer } from './error-answer.ts';
import { sendRaw } from './send.ts';
import type { Service } from './service.ts';

/** Milliseconds, but for the counts. */
export interface ListenerSettings {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
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
  const open = new WeakMap<Socket, Set<Exchange>>();
  const { headersTimeout, requestTimeout, keepAliveTimeout } = settings;
  const server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
    highWaterMark: 16 * 1024,
    noDelay: true,
  });
  server.maxConnections = settings.maxConnections;

  const serve = (request: IncomingMessage, response: ServerResponse, prepare?: (exchange: Exchange) => void): void => {
    const exchange = service.begin(request, response);
    track(open, exchange);
    prepare?.(exchange);
    if (!exchange.answered) void service.run(exchange);
  };
  server.on('request', (request, response) => serve(request, response));
  server.on('checkContinue', (request, response) =>
    serve(request, response, (exchange) => {
      exchange.awaitsContinue = true;
    }),
  );
  server.on('checkExpectation', (request, response) =>
    serve(request, response, (exchange) => {
      exchange.mustClose = true;
      service.fail(exchange, refuse('expectation_failed'));
    }),
  );
  server.on('connect', (_request, socket: Socket) => answerRaw(service, socket, 'method_not_allowed'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseBroken(service, [...(open.get(socket) ?? [])], socket, codeOf(error));
  });
  return server;
}

function track(open: WeakMap<Socket, Set<Exchange>>, exchange: Exchange): void {
  const { socket } = exchange.request;
  const exchanges = open.get(socket) ?? new Set();
  open.set(socket, exchanges.add(exchange));
  exchange.response.once('close', () => exchanges.delete(exchange));
}

/** Answers a request that the parser gave up, after the answers of those before it on the connection. */
function refuseBroken(service: Service, exchanges: readonly Exchange[], socket: Socket, code: ErrorCode | null): void {
  const incomplete = exchanges.find(({ request }) => !request.complete);
  const last = exchanges.at(-1);
  if (code === null || !socket.writable) {
    socket.destroy();
  } else if (incomplete !== undefined) {
    incomplete.mustClose = true;
    if (incomplete.answered) socket.destroy();
    else service.fail(incomplete, refuse(code));
  } else if (last !== undefined) {
    last.response.once('finish', () => answerRaw(service, socket, code));
  } else {
    answerRaw(service, socket, code);
  }
}

function answerRaw(service: Service, socket: Socket, code: ErrorCode): void {
  const { clock, newId, metadataUrl, log } = service.settings;
  const correlationId = newId();
  const context = {
    shape: 'standard',
    correlationId,
    now: clock(),
    metadataUrl: metadataUrl(),
    presented: false,
    allow: null,
  } as const;
  const answer = errorAnswer(refuse(code), context);
  sendRaw(socket, answer, correlationId);
  log.info({ correlationId, status: answer.status }, 'request');
}

/** What the parser's errors mean; everything else is `malformed_request`. Null where nobody is left to be answered. */
const parserErrors: ReadonlyMap<string | undefined, ErrorCode | null> = new Map([
  ['ECONNRESET', null],
  ['EPIPE', null],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'payload_too_large'],
]);

function codeOf({ code }: NodeJS.ErrnoException): ErrorCode | null {
  const known = parserErrors.get(code);
  return known === undefined ? 'malformed_request' : known;
}
