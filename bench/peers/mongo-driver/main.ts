import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { licenseDigestOf } from '../credentials.ts';
import { peerLog, serve } from '../peer.ts';
import { openQueries } from './queries.ts';

/**
 * Bare `node:http` and hand-written queries: the least code that keeps the promises that Latchkey keeps for these
 * operations. The app key is looked up for each request, the answer is stored with the change in one atomic and
 * majority-durable write, a repeated key gets the first answer, and every request has its log line. Arguments: log
 * file, database.
 */
const [logFile = '', url = ''] = process.argv.slice(2);
const log = peerLog(logFile);
const queries = await openQueries(url);

interface Answer {
  readonly status: number;
  readonly body: string;
}

const notFound: Answer = { status: 404, body: '{"success":false,"error":"Not found."}' };
const target = /^\/api\/app-entitlements\/([^/?]+)(?:\/(cancel|resume))?$/;

serve(
  createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end('{"success":false,"error":"Something went wrong."}');
    });
  }),
);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  const correlationId = randomUUID();
  const product =
    request.url === '/api/licenses/verify' ? null : await queries.productOf(request.headers.authorization);
  const { status, body } =
    request.url === '/api/licenses/verify'
      ? await verifyLicense(request)
      : await operate(request, product, correlationId);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'API-Version': '2026-07-18',
    'X-Request-Id': correlationId,
    'Cache-Control': 'no-store',
  });
  response.end(body);
  log({ correlationId, operation: request.method ?? '', product, status, startedAt });
}

async function verifyLicense(request: IncomingMessage): Promise<Answer> {
  const digest = licenseDigestOf(await json(request));
  if (digest === null) return { status: 400, body: '{"valid":false,"error":"licenseKey must be a string."}' };
  return { status: 200, body: JSON.stringify(await queries.verify(digest)) };
}

async function operate(request: IncomingMessage, product: string | null, correlationId: string): Promise<Answer> {
  if (product === null) return { status: 401, body: '{"success":false,"error":"A valid app API key is needed."}' };
  const [, id, operation] = target.exec(request.url ?? '') ?? [];
  if (id === undefined) return notFound;
  if (operation === undefined) {
    const data = await queries.read(id, product);
    return data === null ? notFound : { status: 200, body: JSON.stringify({ success: true, data, correlationId }) };
  }
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return { status: 400, body: '{"success":false,"error":"The key is missing."}' };
  const body = await queries.change({ operation, id, product, key, correlationId });
  return body === null ? notFound : { status: 200, body };
}
