import type { Promotion } from '../../../core/affiliate/promotion.ts';
import {
  comparePromotionPlaces,
  type PromotionFilter,
  type PromotionPart,
  type Promotions,
} from '../../../core/affiliate/promotions.port.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { MemoryStore } from '../data/memory-store.ts';

const everything: PromotionFilter = { handle: null, slug: null, productId: null, state: null };

export class MemoryPromotions implements Promotions {
  readonly #promotions: MemoryStore['promotions'];

  constructor({ promotions }: MemoryStore) {
    this.#promotions = promotions;
  }

  async find(handle: string, slug: string): Promise<Promotion | null> {
    return this.#promotions.get(keyOf({ handle, slug })) ?? null;
  }

  async ofAffiliate(handle: string): Promise<readonly Promotion[]> {
    return this.#fitting({ ...everything, handle });
  }

  async ofCode(productId: string, code: string): Promise<Promotion | null> {
    return this.#ofCode(productId, code);
  }

  async page({ after, limit, ...filter }: PromotionPart): Promise<readonly Promotion[]> {
    return this.#fitting(filter)
      .filter((promotion) => after === null || comparePromotionPlaces(promotion, after) > 0)
      .slice(0, limit);
  }

  async count(slug: string, productId: string): Promise<number> {
    return this.#fitting({ handle: null, slug, productId, state: 'live' }).length;
  }

  async replace(seen: Promotion | null, next: Promotion): Promise<ReplaceOutcome> {
    const key = keyOf(next);
    const isFree = next.codes.every((code) => [key, null].includes(this.#ownerOf(next.productId, code)));
    if (!isFree || this.#promotions.get(key)?.revision !== seen?.revision) return { kind: 'stale' };
    this.#promotions.set(key, next);
    return { kind: 'replaced' };
  }

  #ofCode(productId: string, code: string): Promotion | null {
    return this.#fitting({ ...everything, productId }).find(({ codes }) => codes.includes(code)) ?? null;
  }

  #ownerOf(productId: string, code: string): string | null {
    const owner = this.#ofCode(productId, code);
    return owner && keyOf(owner);
  }

  #fitting({ handle, slug, productId, state }: PromotionFilter): readonly Promotion[] {
    return [...this.#promotions.values()]
      .filter(
        (promotion) =>
          (handle === null || promotion.handle === handle) &&
          (slug === null || promotion.slug === slug) &&
          (productId === null || promotion.productId === productId) &&
          (state === null || promotion.state === state),
      )
      .toSorted(comparePromotionPlaces);
  }
}

/** No handle has a space. */
function keyOf({ handle, slug }: Pick<Promotion, 'handle' | 'slug'>): string {
  return `${handle} ${slug}`;
}
