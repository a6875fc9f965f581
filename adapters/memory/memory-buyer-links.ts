import { maxLinks, type BuyerLink } from '../../core/buyer/buyer-link.ts';
import { prunedLinks, type BuyerLinks } from '../../core/buyer/buyer-links.port.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryBuyerLinks implements BuyerLinks {
  readonly #links: MemoryStore['buyerLinks'];

  constructor({ buyerLinks }: MemoryStore) {
    this.#links = buyerLinks;
  }

  async add(link: BuyerLink): Promise<void> {
    this.#links.set(link.digest, link);
    const all = this.#of(link.subject)
      .filter(({ isForLostKeys }) => isForLostKeys === link.isForLostKeys)
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.digest < b.digest ? -1 : 1));
    for (const { digest } of all.slice(maxLinks)) this.#links.delete(digest);
  }

  async find(digest: string): Promise<BuyerLink | null> {
    return this.#links.get(digest) ?? null;
  }

  async removeAll(subject: string): Promise<number> {
    const all = this.#of(subject);
    for (const { digest } of all) this.#links.delete(digest);
    return all.length;
  }

  async prune(end: Date): Promise<number> {
    const ended = [...this.#links.values()].filter(({ expiresAt }) => expiresAt <= end).slice(0, prunedLinks);
    for (const { digest } of ended) this.#links.delete(digest);
    return ended.length;
  }

  #of(subject: string): readonly BuyerLink[] {
    return [...this.#links.values()].filter((link) => link.subject === subject);
  }
}
