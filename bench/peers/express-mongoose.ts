import { createServer } from 'node:http';
import mongoose, { model, Schema } from 'mongoose';
import { addEntitlements, createApp } from './express.ts';
import {
  answerOf,
  answersKept,
  changeOf,
  factsOf,
  type AppKeyDocument,
  type Change,
  type EntitlementDocument,
} from './facts.ts';
import { serve } from './peer.ts';

/** Express 5 and mongoose, with the promises of the peer by hand, as most people would write them. Argument: the database. */
const [url = ''] = process.argv.slice(2);
await mongoose.connect(url, { readConcern: { level: 'majority' }, writeConcern: { w: 'majority', journal: true } });

const part = { _id: false };
const stored = { versionKey: false, autoIndex: false } as const;
const answer = new Schema({ key: String, at: Date, body: String }, part);
const cancellation = new Schema({ at: Date, requestedAt: Date }, part);
const license = new Schema({ digest: String, lastFour: String, createdAt: Date, revokedAt: Date }, part);
const entitlement = new Schema(
  {
    _id: String,
    productId: String,
    kind: String,
    standing: String,
    hold: new Schema({ kind: String, at: Date }, part),
    tierId: String,
    tierName: String,
    billingInterval: String,
    currentPeriodStart: Date,
    currentPeriodEnd: Date,
    graceUntil: Date,
    cancellation: { type: cancellation, default: null },
    license: { type: license, default: null },
    createdAt: Date,
    updatedAt: Date,
    version: Number,
    revision: Number,
    records: { type: [answer], default: undefined },
  },
  { collection: 'entitlements', ...stored },
);
const appKey = new Schema(
  { _id: String, productId: String, scopes: [String], revokedAt: { type: Date, default: null } },
  { collection: 'app_keys', ...stored },
);
const Entitlement = model<EntitlementDocument>('Entitlement', entitlement);
const AppKey = model<AppKeyDocument>('AppKey', appKey);

const app = await createApp();
addEntitlements(app, {
  appKey: (digest) => AppKey.findById(digest),
  licensed: async (digest) => {
    const found = await Entitlement.findOne({ 'license.digest': digest }).select('-records');
    return found === null || found.license?.revokedAt !== null ? null : factsOf(found.toObject());
  },
  entitlement: async (id, productId) => {
    const found = await Entitlement.findOne({ _id: id, productId }).select('-records');
    return found === null ? null : factsOf(found.toObject());
  },
  change,
});
serve(createServer(app));

async function change(request: Change): Promise<string | null> {
  const { operation, id, productId, key, correlationId } = request;
  const found = await Entitlement.findOne({ _id: id, productId }).select({
    license: 0,
    records: { $elemMatch: { key } },
  });
  if (found === null) return null;
  const seen: EntitlementDocument = found.toObject();
  const [known] = seen.records ?? [];
  if (known !== undefined) return known.body;
  const now = new Date();
  const set = changeOf(operation, seen, now);
  const body = answerOf(factsOf({ ...seen, ...set }), correlationId);
  const { matchedCount } = await Entitlement.updateOne(
    { _id: id, productId, revision: seen.revision, 'records.key': { $ne: key } },
    { $set: set, $push: { records: { $each: [{ key, at: now, body }], $slice: -answersKept } } },
    { timestamps: false },
  );
  return matchedCount === 1 ? body : change(request);
}
