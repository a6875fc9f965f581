import { createFirstIndexes, firstIndexes } from './001-first-indexes.ts';
import { keepRetentionPromises } from './002-retention-promises.ts';
import type { Indexes, Migration } from './migration.ts';

/** Every migration, in the order in which an empty database runs them. */
export const migrations: readonly Migration[] = [createFirstIndexes, keepRetentionPromises];

/** The indexes that must exist after the last migration. The store's promises depend on the unique ones. */
export const requiredIndexes: Indexes = firstIndexes;
