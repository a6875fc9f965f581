import type { Database } from 'better-sqlite3';
import { Router, type Request } from 'express';
import { correlationIdOf, refuse } from '../express-middleware.ts';

interface ListingRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
  readonly commission_percent: number;
  readonly compensation_type: string;
  readonly compensation_label: string;
  readonly featured: number;
  readonly storefront_count: number;
}

/** The catalog, with `LIKE` for the search, and the waitlist. */
export function catalogRoutes(db: Database): Router {
  db.exec(`CREATE INDEX IF NOT EXISTS charts ON listings (state, storefront_count DESC, commission_percent DESC, id)`);
  const bySlug = db.prepare<[string], ListingRow>(`SELECT * FROM listings WHERE slug = ? AND state = 'live'`);
  const found = `state = 'live' AND (name LIKE @q OR blurb LIKE @q OR category LIKE @q OR slug LIKE @q)`;
  const order = 'ORDER BY storefront_count DESC, commission_percent DESC, id LIMIT @limit OFFSET @offset';
  const page = db.prepare<[object], ListingRow>(`SELECT * FROM listings WHERE state = 'live' ${order}`);
  const search = db.prepare<[object], ListingRow>(`SELECT * FROM listings WHERE ${found} ${order}`);
  const count = db.prepare<[], number>(`SELECT count(*) FROM listings WHERE state = 'live'`).pluck();
  const countFound = db.prepare<[object], number>(`SELECT count(*) FROM listings WHERE ${found}`).pluck();
  const categories = db
    .prepare<[], string>(`SELECT DISTINCT category FROM listings WHERE state = 'live' ORDER BY category`)
    .pluck();
  const join = db.prepare<[string, string, number]>(
    'INSERT INTO waitlist (address, email, at, requests) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING',
  );
  const router = Router();

  router.get('/api/marketplace/listings', (request, response) => {
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

  router.get('/api/marketplace/listings/:slug', (request, response) => {
    const row = bySlug.get(request.params.slug);
    if (row === undefined) refuse(response, 404, 'Listing not found.');
    else response.json({ success: true, data: view(row), correlationId: correlationIdOf(response) });
  });

  router.post('/api/waitlist', (request, response) => {
    const { email } = request.body as { readonly email?: unknown };
    if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      refuse(response, 400, 'email must be a valid e-mail address.');
      return;
    }
    join.run(email.toLowerCase(), email, Date.now());
    response.json({ success: true, correlationId: correlationIdOf(response) });
  });
  return router;
}

function numberOf(request: Request, name: string, otherwise: number): number {
  const value = Number(request.query[name] ?? otherwise);
  return Number.isInteger(value) && value >= 0 ? value : otherwise;
}

function view(row: ListingRow): object {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    blurb: row.blurb,
    category: row.category,
    commissionPercent: row.commission_percent,
    compensationType: row.compensation_type,
    compensationLabel: row.compensation_label,
    featured: row.featured === 1,
    storefrontCount: row.storefront_count,
  };
}
