import { MongoServerError, type Document, type ObjectId } from 'mongodb';
import { duplicateField, isTransientCode } from '../driver/errors.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { retryRead } from '../driver/retry.ts';

/** A compare-and-set of one entitlement, as a statement of an `update` command. */
export interface Statement {
  readonly entitlementId: string;
  /** The revision that the filter requires. */
  readonly seenRevision: number;
  /** The revision after the update. */
  readonly nextRevision: number;
  readonly filter: Document;
  readonly update: Document[];
  /** The token of the record that the update adds. */
  readonly token: ObjectId;
}

export type StatementOutcome =
  | { readonly kind: 'applied' }
  /** The filter matched nothing. `revision` is the entitlement's revision now; null if it does not exist. */
  | { readonly kind: 'no match'; readonly revision: number | null }
  /** Another entitlement of the product has a record of the key. */
  | { readonly kind: 'duplicate key' };

export type StatementResult = StatementOutcome | { readonly kind: 'failed'; readonly error: unknown };

interface WriteError {
  readonly index: number;
  readonly code: number;
}

interface Reply {
  /** The number of statements that were applied. The server does not say which. */
  readonly n: number;
  readonly writeErrors: readonly WriteError[];
}

interface State {
  readonly _id: string;
  readonly revision: number;
  readonly tokens: readonly ObjectId[];
}

/**
 * Applies statements of different entitlements in one command, and returns their results in the same order. Where
 * `mayRepeat` returns true for an error the command is sent once more, which is safe: a statement that was applied
 * cannot match again, because it has moved the revision, and is recognized by its token. Throws if the outcome is unknown.
 */
export async function applyStatements(
  database: MongoDatabase,
  statements: readonly Statement[],
  mayRepeat: (error: unknown) => boolean,
): Promise<readonly StatementResult[]> {
  const reply = await update(database, statements).catch((error: unknown) => {
    if (!mayRepeat(error)) throw error;
    return update(database, statements);
  });
  const errors = new Map(reply.writeErrors.map((error) => [error.index, error]));
  const withoutError = statements.filter((_, index) => !errors.has(index));
  // If all of them were applied, there is nothing to ask. Otherwise their tokens tell which.
  const states = reply.n === withoutError.length ? null : await statesAfter(database, withoutError);
  return statements.map((statement, index) => {
    const error = errors.get(index);
    if (error === undefined) return states === null ? { kind: 'applied' } : outcomeOf(statement, states);
    return duplicateField(error) === null
      ? { kind: 'failed', error: new MongoServerError(error) }
      : { kind: 'duplicate key' };
  });
}

async function update(database: MongoDatabase, statements: readonly Statement[]): Promise<Reply> {
  const reply = await database.writeCommand({
    update: 'entitlements',
    updates: statements.map(({ filter, update: change }) => ({ q: filter, u: change })),
    ordered: false,
  });
  const writeErrors: readonly WriteError[] = reply['writeErrors'] ?? [];
  const transient = writeErrors.find(({ code }) => isTransientCode(code));
  if (transient !== undefined) throw new MongoServerError(transient);
  return { n: reply['n'], writeErrors };
}

async function statesAfter(
  database: MongoDatabase,
  statements: readonly Statement[],
): Promise<ReadonlyMap<string, State>> {
  const tokens = statements.map(({ token }) => token);
  const states = await retryRead(() =>
    database.findOnce<State>('entitlements', {
      filter: { _id: { $in: statements.map(({ entitlementId }) => entitlementId) } },
      projection: {
        revision: 1,
        tokens: { $setIntersection: [{ $ifNull: ['$records.token', []] }, { $literal: tokens }] },
      },
      limit: statements.length,
    }),
  );
  return new Map(states.map((state) => [state._id, state]));
}

function outcomeOf({ entitlementId, token }: Statement, states: ReadonlyMap<string, State>): StatementOutcome {
  const state = states.get(entitlementId);
  if (state?.tokens.some((found) => found.equals(token)) === true) return { kind: 'applied' };
  return { kind: 'no match', revision: state?.revision ?? null };
}
