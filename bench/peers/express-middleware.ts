import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { digest, tokenOf } from './credentials.ts';
import type { LoggedRequest } from './peer.ts';

/** Gives each request its correlation id and each response its headers and its log line. */
export function requestMiddleware(log: (request: LoggedRequest) => void): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const correlationId = request.get('X-Request-Id') ?? randomUUID();
    response.locals['correlationId'] = correlationId;
    response.set({ 'API-Version': '2026-07-18', 'X-Request-Id': correlationId, 'Cache-Control': 'no-store' });
    response.on('finish', () => {
      const operation = `${request.method} ${request.route === undefined ? '' : String(request.route.path)}`;
      log({ correlationId, operation, product: productOf(response), status: response.statusCode, startedAt });
    });
    next();
  };
}

export interface AppKey {
  readonly productId: string;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
}

/** Lets a request through that has an app key of this scope. */
export function authorize(
  scope: string,
  find: (digest: string) => AppKey | null | Promise<AppKey | null>,
): RequestHandler {
  return async (request, response, next) => {
    const token = tokenOf(request.get('Authorization'));
    const key = token === null ? null : await find(digest(token));
    if (key === null || key.revoked || !key.scopes.includes(scope)) {
      refuse(response, 401, 'A valid app API key is needed.');
      return;
    }
    response.locals['productId'] = key.productId;
    next();
  };
}

export function refuse(response: Response, status: number, error: string): void {
  response.status(status).json({ success: false, error, correlationId: correlationIdOf(response) });
}

export function refuseLicenseKey(response: Response): void {
  response.status(400).json({ valid: false, error: 'licenseKey must be a string of 24 to 120 characters.' });
}

export function correlationIdOf(response: Response): string {
  return String(response.locals['correlationId']);
}

/** The product whose app key the request has; null where it needs none. */
export function productOf(response: Response): string | null {
  const productId: unknown = response.locals['productId'];
  return typeof productId === 'string' ? productId : null;
}

export function idOf(request: Request): string {
  return String(request.params['id']);
}
