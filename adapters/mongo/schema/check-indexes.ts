import type { Db, IndexDescriptionInfo } from 'mongodb';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { indexes } from './indexes.ts';

/** Throws `UnusableStore` for an index that is missing or differs from the one that this release creates. */
export async function checkIndexes(db: Db): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = new Set(collections.map(({ name }) => name));
  for (const [collection, required] of Object.entries(indexes)) {
    const found = names.has(collection) ? await db.collection(collection).indexes() : [];
    for (const index of required) {
      const existing = found.find(({ name }) => name === index.name);
      if (existing !== undefined && signatureOf(existing) === signatureOf(index)) continue;
      const problem = existing === undefined ? 'is missing' : 'is not the one that Latchkey creates';
      throw new UnusableStore(
        `The index ${index.name} of the collection ${collection} ${problem}, so that two requests could both succeed where only one may. Create it as ${signatureOf(index)}.`,
      );
    }
  }
}

/** The options that decide how an index behaves, as text, without those that a server adds. */
function signatureOf(index: IndexDescriptionInfo | (typeof indexes)[string][number]): string {
  const { key, unique, sparse, partialFilterExpression, collation, expireAfterSeconds } = index;
  return JSON.stringify({ key, unique, sparse, partialFilterExpression, collation, expireAfterSeconds });
}
