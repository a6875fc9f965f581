import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { answerOf, licenseDigestOf, tokenDigestOf, verified, type Queries } from './facts.ts';
import { requestLog } from './peer.ts';

/** An app in which each request has its correlation id, and each response its headers and its log line. */
export async function createApp(): Promise<Express> {
  const log = await requestLog();
  const app = express();
  app.use(express.json({ limit: '16kb' }));
  app.use((request, response, next) => {
    const startedAt = performance.now();
    const correlationId = request.get('X-Request-Id') ?? randomUUID();
    response.locals['correlationId'] = correlationId;
    response.set({ 'API-Version': '2026-07-18', 'X-Request-Id': correlationId, 'Cache-Control': 'no-store' });
    response.on('finish', () => {
      const operation = `${request.method} ${request.route === undefined ? '' : String(request.route.path)}`;
      const product = response.locals['productId'] === undefined ? null : productOf(response);
      log({ correlationId, operation, product, status: response.statusCode, startedAt });
    });
    next();
  });
  return app;
}

/** Adds license verification and the operations of entitlements. */
export function addEntitlements(app: Express, queries: Queries): void {
  app.post('/api/licenses/verify', async (request, response) => {
    const digest = licenseDigestOf(request.body);
    if (digest === null) {
      response.status(400).json({ valid: false, error: 'licenseKey must be a string of 24 to 120 characters.' });
      return;
    }
    response.json(verified(await queries.licensed(digest)));
  });

  app.get('/api/app-entitlements/:id', authorize('read:entitlements', queries), async (request, response) => {
    const found = await queries.entitlement(String(request.params['id']), productOf(response));
    answer(response, found && answerOf(found, correlationIdOf(response)));
  });

  for (const operation of ['cancel', 'resume']) {
    const path = `/api/app-entitlements/:id/${operation}`;
    app.post(path, authorize('write:entitlements', queries), async (request, response) => {
      const key = request.get('Idempotency-Key');
      if (key === undefined) {
        refuse(response, 400, 'The Idempotency-Key header is missing.');
        return;
      }
      const [id, productId] = [String(request.params['id']), productOf(response)];
      answer(
        response,
        await queries.change({ operation, id, productId, key, correlationId: correlationIdOf(response) }),
      );
    });
  }
}

/** Lets a request through that has an app key of this scope. */
function authorize(scope: string, queries: Queries): RequestHandler {
  return async (request, response, next) => {
    const digest = tokenDigestOf(request.get('Authorization'));
    const key = digest === null ? null : await queries.appKey(digest);
    if (key === null || key.revokedAt !== null || !key.scopes.includes(scope)) {
      refuse(response, 401, 'A valid app API key is needed.');
      return;
    }
    response.locals['productId'] = key.productId;
    next();
  };
}

function answer(response: Response, body: string | null): void {
  if (body === null) refuse(response, 404, 'Entitlement not found.');
  else response.type('json').send(body);
}

export function refuse(response: Response, status: number, error: string): void {
  response.status(status).json({ success: false, error, correlationId: correlationIdOf(response) });
}

export function correlationIdOf(response: Response): string {
  return String(response.locals['correlationId']);
}

function productOf(response: Response): string {
  return String(response.locals['productId']);
}
