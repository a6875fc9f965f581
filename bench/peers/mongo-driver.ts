import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { MongoClient } from 'mongodb';
import {
  answerOf,
  answersKept,
  changeOf,
  factsOf,
  licenseDigestOf,
  tokenDigestOf,
  verified,
  type AppKeyDocument,
  type EntitlementDocument,
  type Queries,
} from './facts.ts';
import { requestLog, serve } from './peer.ts';

/**
 * Bare `node:http` and hand-written queries: the least code that keeps the promises that Latchkey keeps for these
 * operations. The app key is looked up for each request, the answer is stored with the change in one atomic and
 * majority-durable write, a repeated key gets the first answer, and every request has its log line. Argument: the
 * database.
 */
const [url = ''] = process.argv.slice(2);
const log = await requestLog();
const client = await new MongoClient(url, {
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true },
}).connect();
const entitlements = client.db().collection<EntitlementDocument>('entitlements');
const appKeys = client.db().collection<AppKeyDocument>('app_keys');
const withoutRecords = { projection: { records: 0 } };

const queries: Queries = {
  appKey: (digest) => appKeys.findOne({ _id: digest }),
  licensed: async (digest) => {
    const found = await entitlements.findOne({ 'license.digest': digest }, withoutRecords);
    return found === null || found.license?.revokedAt !== null ? null : factsOf(found);
  },
  entitlement: async (id, productId) => {
    const found = await entitlements.findOne({ _id: id, productId }, withoutRecords);
    return found === null ? null : factsOf(found);
  },
  change: async (request) => {
    const { operation, id, productId, key, correlationId } = request;
    const projection = { license: 0, records: { $elemMatch: { key } } };
    const seen = await entitlements.findOne({ _id: id, productId }, { projection });
    if (seen === null) return null;
    const [known] = seen.records ?? [];
    if (known !== undefined) return known.body;
    const now = new Date();
    const set = changeOf(operation, seen, now);
    const body = answerOf(factsOf({ ...seen, ...set }), correlationId);
    const { matchedCount } = await entitlements.updateOne(
      { _id: id, productId, revision: seen.revision, 'records.key': { $ne: key } },
      { $set: set, $push: { records: { $each: [{ key, at: now, body }], $slice: -answersKept } } },
    );
    return matchedCount === 1 ? body : queries.change(request);
  },
};

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
  const isVerification = request.url === '/api/licenses/verify';
  const product = isVerification ? null : await productOf(request);
  const { status, body } = isVerification ? await verify(request) : await operate(request, product, correlationId);
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

async function productOf({ headers }: IncomingMessage): Promise<string | null> {
  const digest = tokenDigestOf(headers.authorization);
  const key = digest === null ? null : await queries.appKey(digest);
  return key === null || key.revokedAt !== null ? null : key.productId;
}

async function verify(request: IncomingMessage): Promise<Answer> {
  const digest = licenseDigestOf(await json(request));
  if (digest === null) return { status: 400, body: '{"valid":false,"error":"licenseKey must be a string."}' };
  return { status: 200, body: JSON.stringify(verified(await queries.licensed(digest))) };
}

async function operate(request: IncomingMessage, productId: string | null, correlationId: string): Promise<Answer> {
  if (productId === null) return { status: 401, body: '{"success":false,"error":"A valid app API key is needed."}' };
  const [, id, operation] = target.exec(request.url ?? '') ?? [];
  if (id === undefined) return notFound;
  if (operation === undefined) {
    const found = await queries.entitlement(id, productId);
    return found === null ? notFound : { status: 200, body: answerOf(found, correlationId) };
  }
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return { status: 400, body: '{"success":false,"error":"The key is missing."}' };
  const body = await queries.change({ operation, id, productId, key, correlationId });
  return body === null ? notFound : { status: 200, body };
}
