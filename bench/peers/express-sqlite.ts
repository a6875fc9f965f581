import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import express, { type NextFunction, type Request, type Response } from 'express';
import { peerLog, serve } from './peer.ts';

/**
 * Express 5 and better-sqlite3, as most people would write it: a middleware for each concern, one statement after
 * another, `res.json`, and a table of answers by idempotency key. Arguments: log file, SQLite file.
 */
const [logFile = '', file = ''] = process.argv.slice(2);
const log = peerLog(logFile);
const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(
  'CREATE TABLE IF NOT EXISTS answers (product_id TEXT, key TEXT, status INTEGER, body TEXT, PRIMARY KEY (product_id, key))',
);

interface Row {
  readonly id: string;
  readonly product_id: string;
  readonly tier_id: string;
  readonly tier_name: string;
  readonly billing_interval: string;
  readonly standing: string;
  readonly period_start: number;
  readonly period_end: number;
  readonly cancel_at: number | null;
  readonly canceled_at: number | null;
  readonly license_revoked_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

interface AppKeyRow {
  readonly product_id: string;
  readonly scopes: string;
  readonly revoked_at: number | null;
}

const byLicense = db.prepare<[string], Row>('SELECT * FROM entitlements WHERE license_digest = ?');
const byId = db.prepare<[string, string], Row>('SELECT * FROM entitlements WHERE id = ? AND product_id = ?');
const appKeyByDigest = db.prepare<[string], AppKeyRow>('SELECT * FROM app_keys WHERE digest = ?');
const answerByKey = db.prepare<[string, string], { readonly body: string }>(
  'SELECT * FROM answers WHERE product_id = ? AND key = ?',
);
const setCancellation = db.prepare<[number | null, number | null, number, string]>(
  'UPDATE entitlements SET cancel_at = ?, canceled_at = ?, updated_at = ?, version = version + 1 WHERE id = ?',
);
const saveAnswer = db.prepare<[string, string, number, string]>('INSERT INTO answers VALUES (?, ?, ?, ?)');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
const iso = (instant: number | null): string | null => (instant === null ? null : new Date(instant).toISOString());

const app = express();
app.use(express.json({ limit: '16kb' }));
app.use((request: Request, response: Response, next: NextFunction) => {
  const startedAt = performance.now();
  const correlationId = request.get('X-Request-Id') ?? randomUUID();
  response.locals['correlationId'] = correlationId;
  response.set({ 'API-Version': '2026-07-18', 'X-Request-Id': correlationId, 'Cache-Control': 'no-store' });
  response.on('finish', () => {
    const { product = null } = response.locals as { readonly product?: string };
    log({
      correlationId,
      operation: `${request.method} ${request.path}`,
      product,
      status: response.statusCode,
      startedAt,
    });
  });
  next();
});

app.post('/api/licenses/verify', (request: Request, response: Response) => {
  const { licenseKey } = request.body as { readonly licenseKey?: unknown };
  if (typeof licenseKey !== 'string' || licenseKey.length < 24 || licenseKey.length > 120) {
    response.status(400).json({ valid: false, error: 'licenseKey must be a string of 24 to 120 characters.' });
    return;
  }
  const row = byLicense.get(digest(licenseKey.replaceAll('-', '')));
  if (row === undefined || row.license_revoked_at !== null) {
    response.json({ valid: false });
    return;
  }
  response.json({
    valid: true,
    entitlement: {
      id: row.id,
      productId: row.product_id,
      status: row.standing,
      tierId: row.tier_id,
      tierName: row.tier_name,
      billingInterval: row.billing_interval,
      currentPeriodEnd: iso(row.period_end),
    },
  });
});

const authorize = (scope: string) => (request: Request, response: Response, next: NextFunction) => {
  const token = /^Bearer (\S+)$/.exec(request.get('Authorization') ?? '')?.[1];
  const key = token === undefined ? undefined : appKeyByDigest.get(digest(token));
  if (key === undefined || key.revoked_at !== null || !key.scopes.split(' ').includes(scope)) {
    refuse(response, 401, 'A valid app API key is needed.');
    return;
  }
  response.locals['product'] = key.product_id;
  next();
};

app.get('/api/app-entitlements/:id', authorize('read:entitlements'), (request: Request, response: Response) => {
  const row = byId.get(String(request.params['id']), String(response.locals['product']));
  if (row === undefined) refuse(response, 404, 'Entitlement not found.');
  else response.json({ success: true, data: snapshot(row), correlationId: String(response.locals['correlationId']) });
});

for (const operation of ['cancel', 'resume']) {
  app.post(`/api/app-entitlements/:id/${operation}`, authorize('write:entitlements'), (request, response) => {
    const key = request.get('Idempotency-Key');
    if (key === undefined) refuse(response, 400, 'The Idempotency-Key header is missing.');
    else change(operation, key, request, response);
  });
}

const changeOnce = db.transaction(
  (operation: string, id: string, product: string, key: string, correlationId: string) => {
    const known = answerByKey.get(product, key);
    if (known !== undefined) return known.body;
    const row = byId.get(id, product);
    if (row === undefined) return null;
    const now = Date.now();
    const canceled = operation === 'cancel';
    setCancellation.run(canceled ? row.period_end : null, canceled ? now : null, now, id);
    const data = snapshot({
      ...row,
      cancel_at: canceled ? row.period_end : null,
      canceled_at: canceled ? now : null,
      updated_at: now,
      version: row.version + 1,
    });
    const body = JSON.stringify({ success: true, data, correlationId });
    saveAnswer.run(product, key, 200, body);
    return body;
  },
);

function change(operation: string, key: string, request: Request, response: Response): void {
  const product = String(response.locals['product']);
  const correlationId = String(response.locals['correlationId']);
  const body = changeOnce.immediate(operation, String(request.params['id']), product, key, correlationId);
  if (body === null) refuse(response, 404, 'Entitlement not found.');
  else response.type('json').send(body);
}

function snapshot(row: Row): object {
  return {
    id: row.id,
    productId: row.product_id,
    kind: 'subscription',
    status: row.standing,
    active: true,
    tierId: row.tier_id,
    tierName: row.tier_name,
    billingInterval: row.billing_interval,
    currentPeriodStart: iso(row.period_start),
    currentPeriodEnd: iso(row.period_end),
    cancelAtPeriodEnd: row.cancel_at !== null,
    cancelAt: iso(row.cancel_at),
    canceledAt: iso(row.canceled_at),
    endedAt: null,
    allowedActions: row.cancel_at === null ? ['cancel'] : ['resume'],
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    version: row.version,
  };
}

function refuse(response: Response, status: number, error: string): void {
  response.status(status).json({ success: false, error, correlationId: String(response.locals['correlationId']) });
}

serve(createServer(app));
