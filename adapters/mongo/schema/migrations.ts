import { MongoServerError, type Db } from 'mongodb';
import { indexes } from './indexes.ts';

/**
 * One step of the schema. It must be repeatable, also by two processes at once, because no transaction covers it. A step
 * that was released is never edited: a change is a step of its own.
 */
export interface Migration {
  /** Its number and what it adds. It never changes. */
  readonly name: string;
  /** Whether processes of the release before would damage a store that has this step. */
  readonly isExclusive?: boolean;
  readonly run: (db: Db) => Promise<void>;
}

/** The schema of release 0.2.0. A store with an older one is upgraded by that release first. */
export const oldestSchema = 23;

/** Every migration in the order in which an empty database runs them: the first makes the oldest schema that this release knows. */
export const migrations: readonly Migration[] = [
  {
    name: '023-release-0.2.0',
    async run(db) {
      for (const [collection, wanted] of Object.entries(indexes)) {
        await db.collection(collection).createIndexes([...wanted]);
      }
      // Read by transactions, which create no collection.
      await db.createCollection('signing_keys').catch(ignoreExisting);
    },
  },
  {
    // A process of the release before would forget what is set aside.
    name: '024-waiting-deliveries',
    isExclusive: true,
    async run(db) {
      await db.collection('waiting_deliveries').createIndexes([...(indexes['waiting_deliveries'] ?? [])]);
    },
  },
  {
    name: '025-invitations',
    async run(db) {
      await db.collection('waitlist').createIndexes([...(indexes['waitlist'] ?? [])]);
    },
  },
  {
    name: '026-sales',
    async run(db) {
      await db.collection('sales').createIndexes([...(indexes['sales'] ?? [])]);
    },
  },
  {
    name: '027-trials',
    async run(db) {
      await db.collection('trials').createIndexes([...(indexes['trials'] ?? [])]);
    },
  },
  {
    name: '028-affiliates',
    async run(db) {
      await db.collection('affiliates').createIndexes([...(indexes['affiliates'] ?? [])]);
      await db.collection('promotions').createIndexes([...(indexes['promotions'] ?? [])]);
    },
  },
  {
    name: '029-statements',
    async run(db) {
      await db.collection('statements').createIndexes([...(indexes['statements'] ?? [])]);
    },
  },
  {
    name: '030-sale-events',
    async run(db) {
      await db.collection('sales').createIndexes([...(indexes['sales'] ?? [])]);
    },
  },
];

const namespaceExists = 48;

function ignoreExisting(error: unknown): void {
  if (!(error instanceof MongoServerError) || error.code !== namespaceExists) throw error;
}
