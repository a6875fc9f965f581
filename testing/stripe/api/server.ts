import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { currentVersion } from '../events/versions.ts';
import type { SeenRequest } from './endpoint.ts';
import { carryOut, type Account, type Arrived, type Outcome } from './exchange.ts';

export interface ApiServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Serves the API on a free port of this machine. It does not keep the process running. */
export async function serveApi(account: Account, seen: SeenRequest[], afterwards: () => void): Promise<ApiServer> {
  const server = createServer((request, response) => {
    void exchange(account, request, response, seen, afterwards).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(server) };
}

async function exchange(
  account: Account,
  request: IncomingMessage,
  response: ServerResponse,
  seen: SeenRequest[],
  afterwards: () => void,
): Promise<void> {
  const arrived = await read(request);
  const outcome = carryOut(account, arrived);
  const now = account.ledger.now();
  const { method, path, form, idempotencyKey = null } = arrived;
  const status = 'answer' in outcome ? outcome.answer.status : null;
  seen.push({ method, path, parameters: form, idempotencyKey, status });
  afterwards();
  if (outcome.kind === 'cut') request.socket.destroy();
  if (outcome.kind === 'hold') {
    outcome.fault.arrived();
    await outcome.fault.released;
  }
  if ('answer' in outcome) send(response, arrived, outcome, now);
}

async function read(request: IncomingMessage): Promise<Arrived> {
  const { method = 'GET', url = '/', headers } = request;
  const { pathname, search } = new URL(url, 'http://127.0.0.1');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  return {
    method,
    path: pathname,
    form: method === 'GET' ? search.slice(1) : body || search.slice(1),
    authorization: headers.authorization,
    version: textIn(headers['stripe-version']),
    idempotencyKey: textIn(headers['idempotency-key']),
  };
}

function textIn(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function send(
  response: ServerResponse,
  arrived: Arrived,
  outcome: Outcome & { kind: 'answer' | 'hold' },
  now: number,
): void {
  const { status, body, requestId } = outcome.answer;
  const headers: Record<string, string> = {
    Date: new Date(now * 1000).toUTCString(),
    'Content-Type': 'application/json',
    'Request-Id': requestId,
    'Stripe-Version': arrived.version ?? currentVersion,
  };
  if (arrived.idempotencyKey !== undefined) headers['Idempotency-Key'] = arrived.idempotencyKey;
  if (outcome.kind === 'answer' && outcome.replayed) headers['Idempotent-Replayed'] = 'true';
  if (outcome.kind === 'answer' && outcome.retryAfter !== undefined)
    headers['Retry-After'] = String(outcome.retryAfter);
  response.writeHead(status, headers).end(body);
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
