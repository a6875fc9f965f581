import { MongoClient } from 'mongodb';
import { digest, tokenOf } from '../credentials.ts';
import { answersKept, changeOf, factsOf, type AppKeyDocument, type EntitlementDocument } from '../mongo-documents.ts';
import { snapshot, verified } from '../views.ts';

export interface Change {
  readonly operation: string;
  readonly id: string;
  readonly product: string;
  readonly key: string;
  readonly correlationId: string;
}

export interface Queries {
  verify(licenseDigest: string): Promise<object>;
  /** The product of the app key in an `Authorization` header, or null. */
  productOf(authorization: string | undefined): Promise<string | null>;
  read(id: string, product: string): Promise<object | null>;
  /** The body of the answer: the first one for a key that has one. */
  change(change: Change): Promise<string | null>;
}

export async function openQueries(url: string): Promise<Queries> {
  const client = await new MongoClient(url, {
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true },
  }).connect();
  const entitlements = client.db().collection<EntitlementDocument>('entitlements');
  const appKeys = client.db().collection<AppKeyDocument>('app_keys');
  const withoutRecords = { projection: { records: 0 } };
  const change = async (request: Change): Promise<string | null> => {
    const { operation, id, product, key, correlationId } = request;
    const projection = { license: 0, records: { $elemMatch: { key } } };
    const seen = await entitlements.findOne({ _id: id, productId: product }, { projection });
    if (seen === null) return null;
    const [known] = seen.records ?? [];
    if (known !== undefined) return known.body;
    const now = new Date();
    const set = changeOf(operation, seen, now);
    const body = JSON.stringify({ success: true, data: snapshot(factsOf({ ...seen, ...set })), correlationId });
    const { matchedCount } = await entitlements.updateOne(
      { _id: id, productId: product, revision: seen.revision, 'records.key': { $ne: key } },
      { $set: set, $push: { records: { $each: [{ key, at: now, body }], $slice: -answersKept } } },
    );
    return matchedCount === 1 ? body : change(request);
  };
  return {
    verify: async (licenseDigest) => {
      const found = await entitlements.findOne({ 'license.digest': licenseDigest }, withoutRecords);
      return found === null || found.license?.revokedAt !== null ? { valid: false } : verified(factsOf(found));
    },
    productOf: async (authorization) => {
      const token = tokenOf(authorization);
      const key = token === null ? null : await appKeys.findOne({ _id: digest(token) });
      return key === null || key.revokedAt !== null ? null : key.productId;
    },
    read: async (id, product) => {
      const found = await entitlements.findOne({ _id: id, productId: product }, withoutRecords);
      return found === null ? null : snapshot(factsOf(found));
    },
    change,
  };
}
