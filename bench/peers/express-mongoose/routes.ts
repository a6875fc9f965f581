import { Router, type Response } from 'express';
import { licenseDigestOf } from '../credentials.ts';
import {
  authorize,
  correlationIdOf,
  idOf,
  productOf,
  refuse,
  refuseLicenseKey,
  type AppKey as Authorized,
} from '../express-middleware.ts';
import { answersKept, changeOf, factsOf, type EntitlementDocument } from '../mongo-documents.ts';
import { snapshot, verified } from '../views.ts';
import { AppKey, Entitlement } from './models.ts';

export const routes = Router();

routes.post('/api/licenses/verify', async (request, response) => {
  const digest = licenseDigestOf(request.body);
  if (digest === null) {
    refuseLicenseKey(response);
    return;
  }
  const found = await Entitlement.findOne({ 'license.digest': digest }).select('-records');
  const known = found !== null && found.license !== null && found.license.revokedAt === null;
  response.json(known ? verified(factsOf(found.toObject())) : { valid: false });
});

routes.get('/api/app-entitlements/:id', authorize('read:entitlements', findAppKey), async (request, response) => {
  const found = await Entitlement.findOne({ _id: idOf(request), productId: productOf(response) }).select('-records');
  if (found === null) {
    refuse(response, 404, 'Entitlement not found.');
    return;
  }
  const data = snapshot(factsOf(found.toObject()));
  response.json({ success: true, data, correlationId: correlationIdOf(response) });
});

for (const operation of ['cancel', 'resume']) {
  const path = `/api/app-entitlements/:id/${operation}`;
  routes.post(path, authorize('write:entitlements', findAppKey), async (request, response) => {
    const key = request.get('Idempotency-Key');
    if (key === undefined) {
      refuse(response, 400, 'The Idempotency-Key header is missing.');
      return;
    }
    const body = await change(operation, idOf(request), key, response);
    if (body === null) refuse(response, 404, 'Entitlement not found.');
    else response.type('json').send(body);
  });
}

async function findAppKey(digest: string): Promise<Authorized | null> {
  const found = await AppKey.findById(digest);
  if (found === null) return null;
  return { productId: found.productId, scopes: found.scopes, revoked: found.revokedAt !== null };
}

async function change(operation: string, id: string, key: string, response: Response): Promise<string | null> {
  const mine = { _id: id, productId: productOf(response) };
  const found = await Entitlement.findOne(mine).select({ license: 0, records: { $elemMatch: { key } } });
  if (found === null) return null;
  const seen: EntitlementDocument = found.toObject();
  const [known] = seen.records ?? [];
  if (known !== undefined) return known.body;
  const now = new Date();
  const set = changeOf(operation, seen, now);
  const data = snapshot(factsOf({ ...seen, ...set }));
  const body = JSON.stringify({ success: true, data, correlationId: correlationIdOf(response) });
  const { matchedCount } = await Entitlement.updateOne(
    { ...mine, revision: seen.revision, 'records.key': { $ne: key } },
    { $set: set, $push: { records: { $each: [{ key, at: now, body }], $slice: -answersKept } } },
    { timestamps: false },
  );
  return matchedCount === 1 ? body : change(operation, id, key, response);
}
