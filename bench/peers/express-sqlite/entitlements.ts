import type { Database } from 'better-sqlite3';
import { Router, type Response } from 'express';
import { licenseDigestOf } from '../credentials.ts';
import {
  authorize,
  correlationIdOf,
  idOf,
  productOf,
  refuse,
  refuseLicenseKey,
  type AppKey,
} from '../express-middleware.ts';
import { snapshot, verified } from '../views.ts';
import { factsOf, type EntitlementRow } from './entitlement-row.ts';

/** License verification and the entitlement operations. */
export function entitlementRoutes(db: Database): Router {
  const byLicense = db.prepare<[string], EntitlementRow>('SELECT * FROM entitlements WHERE license_digest = ?');
  const byId = db.prepare<[string, string | null], EntitlementRow>(
    'SELECT * FROM entitlements WHERE id = ? AND product_id = ?',
  );
  const findAppKey = appKeys(db);
  const changeOnce = changer(db);
  const router = Router();

  router.post('/api/licenses/verify', (request, response) => {
    const digest = licenseDigestOf(request.body);
    if (digest === null) {
      refuseLicenseKey(response);
      return;
    }
    const row = byLicense.get(digest);
    const known = row !== undefined && row.license_revoked_at === null;
    response.json(known ? verified(factsOf(row)) : { valid: false });
  });

  router.get('/api/app-entitlements/:id', authorize('read:entitlements', findAppKey), (request, response) => {
    const row = byId.get(idOf(request), productOf(response));
    if (row === undefined) refuse(response, 404, 'Entitlement not found.');
    else response.json({ success: true, data: snapshot(factsOf(row)), correlationId: correlationIdOf(response) });
  });

  for (const operation of ['cancel', 'resume'] as const) {
    const path = `/api/app-entitlements/:id/${operation}`;
    router.post(path, authorize('write:entitlements', findAppKey), (request, response) => {
      const key = request.get('Idempotency-Key');
      if (key === undefined) {
        refuse(response, 400, 'The Idempotency-Key header is missing.');
        return;
      }
      answerChange(response, changeOnce(operation, idOf(request), key, response));
    });
  }
  return router;
}

function appKeys(db: Database): (digest: string) => AppKey | null {
  const byDigest = db.prepare<
    [string],
    { readonly product_id: string; readonly scopes: string; readonly revoked_at: number | null }
  >('SELECT * FROM app_keys WHERE digest = ?');
  return (sought) => {
    const row = byDigest.get(sought);
    if (row === undefined) return null;
    return { productId: row.product_id, scopes: row.scopes.split(' '), revoked: row.revoked_at !== null };
  };
}

type Change = (operation: 'cancel' | 'resume', id: string, key: string, response: Response) => string | null;

/** Changes an entitlement and stores the answer in one transaction; null where there is no such entitlement. */
function changer(db: Database): Change {
  db.exec('CREATE TABLE IF NOT EXISTS answers (product_id TEXT, key TEXT, body TEXT, PRIMARY KEY (product_id, key))');
  const answer = db.prepare<[string | null, string], { readonly body: string }>(
    'SELECT body FROM answers WHERE product_id = ? AND key = ?',
  );
  const keep = db.prepare<[string | null, string, string]>('INSERT INTO answers VALUES (?, ?, ?)');
  const find = db.prepare<[string, string | null], EntitlementRow>(
    'SELECT * FROM entitlements WHERE id = ? AND product_id = ?',
  );
  const update = db.prepare<[number | null, number | null, number, number, string]>(
    'UPDATE entitlements SET cancel_at = ?, canceled_at = ?, updated_at = ?, version = ? WHERE id = ?',
  );
  const change: Change = (operation, id, key, response) => {
    const product = productOf(response);
    const known = answer.get(product, key);
    if (known !== undefined) return known.body;
    const row = find.get(id, product);
    if (row === undefined) return null;
    const now = Date.now();
    const canceled = operation === 'cancel';
    const next = {
      ...row,
      cancel_at: canceled ? row.period_end : null,
      canceled_at: canceled ? now : null,
      updated_at: now,
      version: row.version + 1,
    };
    update.run(next.cancel_at, next.canceled_at, next.updated_at, next.version, id);
    const body = JSON.stringify({
      success: true,
      data: snapshot(factsOf(next)),
      correlationId: correlationIdOf(response),
    });
    keep.run(product, key, body);
    return body;
  };
  const transaction = db.transaction(change);
  return (...request) => transaction.immediate(...request);
}

function answerChange(response: Response, body: string | null): void {
  if (body === null) refuse(response, 404, 'Entitlement not found.');
  else response.type('json').send(body);
}
