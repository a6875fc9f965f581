import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import type { Request } from 'express';
import { addEntitlements, correlationIdOf, createApp, refuse } from './express.ts';
import { answerOf, type AppKey, type Change, type Facts } from './facts.ts';
import { serve } from './peer.ts';

/**
 * Express 5 and better-sqlite3, as most people would write it: a middleware for each concern, one statement after
 * another, and a table of answers by idempotency key. Argument: the SQLite file.
 */
const [file = ''] = process.argv.slice(2);
const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
// Latchkey's schema refuses changes without an event, which this peer does not write.
db.exec('DROP TRIGGER entitlement_changes_are_told');
db.exec('CREATE TABLE IF NOT EXISTS answers (product_id TEXT, key TEXT, body TEXT, PRIMARY KEY (product_id, key))');
db.exec('CREATE INDEX IF NOT EXISTS charts ON listings (state, storefront_count DESC, commission_percent DESC, id)');

const facts = `id, product_id AS productId, standing, tier_id AS tierId, tier_name AS tierName,
  billing_interval AS billingInterval, period_start AS currentPeriodStart, period_end AS currentPeriodEnd,
  cancel_at AS cancelAt, canceled_at AS canceledAt, created_at AS createdAt, updated_at AS updatedAt, version`;
const selectByLicense = db.prepare<[string], Facts>(
  `SELECT ${facts} FROM entitlements WHERE license_digest = ? AND license_revoked_at IS NULL`,
);
const selectById = db.prepare<[string, string], Facts>(
  `SELECT ${facts} FROM entitlements WHERE id = ? AND product_id = ?`,
);
const selectAppKey = db.prepare<[string], Omit<AppKey, 'scopes'> & { readonly scopes: string }>(
  'SELECT product_id AS productId, scopes, revoked_at AS revokedAt FROM app_keys WHERE digest = ?',
);
const selectAnswer = db
  .prepare<[string, string], string>('SELECT body FROM answers WHERE product_id = ? AND key = ?')
  .pluck();
const insertAnswer = db.prepare<[string, string, string]>('INSERT INTO answers VALUES (?, ?, ?)');
const update = db.prepare<[Facts]>(
  `UPDATE entitlements SET cancel_at = @cancelAt, canceled_at = @canceledAt, updated_at = @updatedAt,
    version = @version WHERE id = @id`,
);

/** Changes an entitlement and stores the answer in one transaction. */
const change = db.transaction(({ operation, id, productId, key, correlationId }: Change): string | null => {
  const known = selectAnswer.get(productId, key);
  if (known !== undefined) return known;
  const found = selectById.get(id, productId);
  if (found === undefined) return null;
  const now = Date.now();
  const isCanceled = operation === 'cancel';
  const cancellation = { cancelAt: isCanceled ? found.currentPeriodEnd : null, canceledAt: isCanceled ? now : null };
  const next = { ...found, ...cancellation, updatedAt: now, version: found.version + 1 };
  update.run(next);
  const body = answerOf(next, correlationId);
  insertAnswer.run(productId, key, body);
  return body;
});

const app = await createApp();
addEntitlements(app, {
  appKey: (digest) => {
    const row = selectAppKey.get(digest);
    return row === undefined ? null : { ...row, scopes: row.scopes.split(' ') };
  },
  licensed: (digest) => selectByLicense.get(digest) ?? null,
  entitlement: (id, productId) => selectById.get(id, productId) ?? null,
  change: (request) => change.immediate(request),
});
addCatalog();
serve(createServer(app));

/** Adds the catalog, with `LIKE` for the search, and the waitlist. */
function addCatalog(): void {
  const listing = `SELECT id, slug, name, blurb, category, commission_percent AS commissionPercent,
    compensation_type AS compensationType, compensation_label AS compensationLabel, featured,
    storefront_count AS storefrontCount FROM listings`;
  const found = `state = 'live' AND (name LIKE @q OR blurb LIKE @q OR category LIKE @q OR slug LIKE @q)`;
  const order = 'ORDER BY storefront_count DESC, commission_percent DESC, id LIMIT @limit OFFSET @offset';
  const bySlug = db.prepare<[string], ListingRow>(`${listing} WHERE slug = ? AND state = 'live'`);
  const page = db.prepare<[object], ListingRow>(`${listing} WHERE state = 'live' ${order}`);
  const search = db.prepare<[object], ListingRow>(`${listing} WHERE ${found} ${order}`);
  const count = db.prepare<[], number>(`SELECT count(*) FROM listings WHERE state = 'live'`).pluck();
  const countFound = db.prepare<[object], number>(`SELECT count(*) FROM listings WHERE ${found}`).pluck();
  const categories = db
    .prepare<[], string>(`SELECT DISTINCT category FROM listings WHERE state = 'live' ORDER BY category`)
    .pluck();
  const join = db.prepare<[string, string, number]>(
    'INSERT INTO waitlist (address, email, at, requests) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING',
  );

  app.get('/api/marketplace/listings', (request, response) => {
    const [offset, limit] = [numberOf(request, 'offset', 0), numberOf(request, 'limit', 24)];
    const term = typeof request.query['q'] === 'string' ? request.query['q'] : '';
    const q = `%${term}%`;
    const rows = term === '' ? page.all({ offset, limit }) : search.all({ q, offset, limit });
    const total = (term === '' ? count.get() : countFound.get({ q })) ?? 0;
    response.set('Cache-Control', 'public, max-age=5').json({
      success: true,
      data: rows.map(view),
      meta: { total, offset, limit, hasMore: offset + rows.length < total },
      categories: categories.all(),
      correlationId: correlationIdOf(response),
    });
  });

  app.get('/api/marketplace/listings/:slug', (request, response) => {
    const row = bySlug.get(request.params.slug);
    if (row === undefined) refuse(response, 404, 'Listing not found.');
    else response.json({ success: true, data: view(row), correlationId: correlationIdOf(response) });
  });

  app.post('/api/waitlist', (request, response) => {
    const { email } = request.body as { readonly email?: unknown };
    if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      refuse(response, 400, 'email must be a valid e-mail address.');
      return;
    }
    join.run(email.toLowerCase(), email, Date.now());
    response.json({ success: true, correlationId: correlationIdOf(response) });
  });
}

/** A listing as clients see it, but for what SQLite stores as a number. */
interface ListingRow {
  readonly featured: number;
}

function view(row: ListingRow): object {
  return { ...row, featured: row.featured === 1 };
}

function numberOf(request: Request, name: string, otherwise: number): number {
  const value = Number(request.query[name] ?? otherwise);
  return Number.isInteger(value) && value >= 0 ? value : otherwise;
}
