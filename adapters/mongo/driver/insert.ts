import type { Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { duplicateField } from './errors.ts';
import type { CollectionName, MongoDatabase } from './mongo-database.ts';

/**
 * Adds a document, and returns whether its id was free. Sent once: if the first attempt was applied, a second one would
 * find the id taken.
 */
export function insertNew(
  database: MongoDatabase,
  collection: CollectionName,
  document: Document & { readonly _id: string },
  call: Call,
): Promise<boolean> {
  const documents = database.collection<Document & { readonly _id: string }>(collection);
  return database.writeOnce(call, async (session) => {
    try {
      await documents.insertOne(document, { session });
      return true;
    } catch (error) {
      if (duplicateField(error) === null) throw error;
      return false;
    }
  });
}
