import { model, Schema } from 'mongoose';
import type { AppKeyDocument, EntitlementDocument } from '../mongo-documents.ts';

const answer = new Schema({ key: String, at: Date, body: String }, { _id: false });
const cancellation = new Schema({ at: Date, requestedAt: Date }, { _id: false });
const license = new Schema({ digest: String, lastFour: String, createdAt: Date, revokedAt: Date }, { _id: false });

const entitlement = new Schema(
  {
    _id: String,
    productId: String,
    kind: String,
    standing: String,
    hold: new Schema({ kind: String, at: Date }, { _id: false }),
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
  { collection: 'entitlements', versionKey: false, autoIndex: false },
);

const appKey = new Schema(
  { _id: String, productId: String, scopes: [String], revokedAt: { type: Date, default: null } },
  { collection: 'app_keys', versionKey: false, autoIndex: false },
);

export const Entitlement = model<EntitlementDocument>('Entitlement', entitlement);
export const AppKey = model<AppKeyDocument>('AppKey', appKey);
