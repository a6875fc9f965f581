import type { Collection, Db, MongoClient } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Product } from '../../../core/product/product.ts';
import type { SignUp } from '../../../core/waitlist/sign-up.ts';
import type { AppKeyDocument } from '../access/app-key-document.ts';
import { within } from './deadline.ts';
import type { StoredEntitlement } from '../entitlement/entitlement-document.ts';
import type { ListingDocument } from '../catalog/listing-document.ts';
import { LastUsedBuffer } from '../access/last-used-buffer.ts';
import { WriteBatcher } from '../entitlement/write-batcher.ts';

export type ProductDocument = { readonly _id: string } & Omit<Product, 'id'>;

/** A sign-up under its address (`addressOf`). */
export type SignUpDocument = { readonly _id: string; readonly requests: number } & SignUp;

interface CounterDocument {
  readonly _id: string;
  readonly count: number;
}

/** A standalone server loses what it has when it fails; only a replica set keeps every acknowledged write. */
export type Topology = 'replica set' | 'sharded cluster' | 'standalone';

/** One open database and the ways to it. */
export class MongoStore {
  readonly topology: Topology;
  readonly database: Db;
  readonly products: Collection<ProductDocument>;
  readonly appKeys: Collection<AppKeyDocument>;
  readonly entitlements: Collection<StoredEntitlement>;
  readonly listings: Collection<ListingDocument>;
  readonly waitlist: Collection<SignUpDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly writes: WriteBatcher;
  readonly uses: LastUsedBuffer;
  readonly #client: MongoClient;

  constructor(client: MongoClient, database: Db, topology: Topology) {
    this.#client = client;
    this.topology = topology;
    this.database = database;
    this.products = this.database.collection('products');
    this.appKeys = this.database.collection('app_keys');
    this.entitlements = this.database.collection('entitlements');
    this.listings = this.database.collection('listings');
    this.waitlist = this.database.collection('waitlist');
    this.counters = this.database.collection('counters');
    this.writes = new WriteBatcher(this.database);
    this.uses = new LastUsedBuffer(this.appKeys);
  }

  /** Whether a primary answers before the deadline. */
  isReady(call: Call): Promise<boolean> {
    return within(call, this.database.command({ hello: 1 })).then(
      (hello) => hello['isWritablePrimary'] === true,
      () => false,
    );
  }

  /** Closes every connection. Nothing may be under way any more. */
  async close(): Promise<void> {
    await this.uses.flush();
    await this.#client.close();
  }
}
