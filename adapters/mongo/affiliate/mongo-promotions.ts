import type { Collection, Document } from 'mongodb';
import { maxPromotions, type Promotion } from '../../../core/affiliate/promotion.ts';
import type { PromotionPart, Promotions } from '../../../core/affiliate/promotions.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { insertNew, replaceSeen } from '../driver/commands.ts';
import type { MongoDatabase, Query } from '../driver/mongo-database.ts';

/**
 * A document of `promotions`, by handle and slug, whose order is that of both: no handle has a space or a lower character.
 * `codeKeys` has each code with its product, and is absent without one: an empty list would be a value of its index.
 */
export type PromotionDocument = Promotion & { readonly _id: string; readonly codeKeys?: readonly string[] };

export function toPromotionDocument(promotion: Promotion): PromotionDocument {
  const { productId, codes } = promotion;
  const codeKeys = codes.map((code) => codeKey(productId, code));
  return { _id: promotionKey(promotion), ...promotion, ...(codes.length > 0 && { codeKeys }) };
}

export function fromPromotionDocument({ _id, codeKeys: _keys, ...promotion }: PromotionDocument): Promotion {
  return promotion;
}

function promotionKey({ handle, slug }: Pick<Promotion, 'handle' | 'slug'>): string {
  return `${handle} ${slug}`;
}

function codeKey(productId: string, code: string): string {
  return `${productId} ${code}`;
}

export class MongoPromotions implements Promotions {
  readonly #database: MongoDatabase;
  readonly #promotions: Collection<PromotionDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#promotions = database.collection('promotions');
  }

  find(handle: string, slug: string, call: Call): Promise<Promotion | null> {
    return this.#findOne({ _id: promotionKey({ handle, slug }) }, call);
  }

  ofAffiliate(handle: string, call: Call): Promise<readonly Promotion[]> {
    return this.#read({ filter: { handle }, sort: { _id: 1 }, limit: 2 * maxPromotions }, call);
  }

  ofCode(productId: string, code: string, call: Call): Promise<Promotion | null> {
    return this.#findOne({ codeKeys: codeKey(productId, code) }, call);
  }

  page({ after, limit, ...asked }: PromotionPart, call: Call): Promise<readonly Promotion[]> {
    const wanted = Object.entries(asked).filter(([, value]) => value !== null);
    const place = after === null ? [] : [['_id', { $gt: promotionKey(after) }]];
    return this.#read({ filter: Object.fromEntries([...wanted, ...place]), sort: { _id: 1 }, limit }, call);
  }

  count(slug: string, productId: string, call: Call): Promise<number> {
    return this.#database.read(call, (session) =>
      this.#promotions.countDocuments({ slug, productId, state: 'live' }, { session }),
    );
  }

  async replace(seen: Promotion | null, next: Promotion, call: Call): Promise<ReplaceOutcome> {
    const document = toPromotionDocument(next);
    const isReplaced =
      seen === null
        ? await insertNew(this.#database, 'promotions', document, call)
        : await replaceSeen(this.#database, this.#promotions, seen.revision, document, call);
    return { kind: isReplaced ? 'replaced' : 'stale' };
  }

  async #findOne(filter: Document, call: Call): Promise<Promotion | null> {
    const [found = null] = await this.#read({ filter, limit: 1 }, call);
    return found;
  }

  async #read(query: Query, call: Call): Promise<readonly Promotion[]> {
    return (await this.#database.find<PromotionDocument>('promotions', query, call)).map(fromPromotionDocument);
  }
}
