import { MongoServerError, type Db, type Document, type ObjectId } from 'mongodb';
import { retryRead } from '../driver/retry-read.ts';
import { duplicateField, isTransientCode } from '../driver/errors.ts';
import { findDocuments } from '../driver/find.ts';

/** One compare-and-set of one entitlement, as a statement of an `update` command. */
export interface Statement {
  readonly entitlementId: string;
  /** The revision that the filter demands, and the one that the update leaves. */
  readonly from: number;
  readonly to: number;
  readonly filter: Document;
  readonly update: Document[];
  /** The one that the update puts into `records`. */
  readonly token: ObjectId;
}

export type Outcome =
  | { readonly kind: 'won' }
  /** Nothing was written; the entitlement's revision now, or null where there is none. */
  | { readonly kind: 'lost'; readonly revision: number | null }
  /** Nothing was written: another entitlement of the product has a record of this key. */
  | { readonly kind: 'duplicate' };

export type Verdict = Outcome | { readonly kind: 'failed'; readonly error: unknown };

interface WriteError {
  readonly index: number;
  readonly code: number;
}

interface Reply {
  readonly n: number;
  readonly writeErrors: readonly WriteError[];
}

interface State {
  readonly _id: string;
  readonly revision: number;
  readonly tokens: readonly ObjectId[];
}

/**
 * Carries out statements of different entitlements in one command, and tells what became of each, in their order.
 * Where `mayRepeat` says so of an error, it is sent once more: with the same revisions and keys nothing happens twice,
 * and with the same tokens a statement knows itself. Throws when it is unknown what became of them.
 */
export async function carryOut(
  database: Db,
  statements: readonly Statement[],
  mayRepeat: (error: unknown) => boolean,
): Promise<readonly Verdict[]> {
  const reply = await update(database, statements).catch((error: unknown) => {
    if (!mayRepeat(error)) throw error;
    return update(database, statements);
  });
  const errors = new Map(reply.writeErrors.map((error) => [error.index, error]));
  const sound = statements.filter((_, index) => !errors.has(index));
  // The reply has a total only. Where it falls short of the statements, the tokens tell who won.
  const states = reply.n === sound.length ? null : await statesOf(database, sound);
  return statements.map((statement, index) => {
    const error = errors.get(index);
    if (error === undefined) return states === null ? { kind: 'won' } : verdictOf(statement, states);
    return duplicateField(error) === null
      ? { kind: 'failed', error: new MongoServerError(error) }
      : { kind: 'duplicate' };
  });
}

async function update(database: Db, statements: readonly Statement[]): Promise<Reply> {
  const reply = await database.command({
    update: 'entitlements',
    updates: statements.map(({ filter, update: change }) => ({ q: filter, u: change })),
    ordered: false,
    writeConcern: { w: 'majority', j: true },
  });
  const writeErrors: readonly WriteError[] = reply['writeErrors'] ?? [];
  const lostPrimary = writeErrors.find(({ code }) => isTransientCode(code));
  if (lostPrimary !== undefined) throw new MongoServerError(lostPrimary);
  return { n: reply['n'], writeErrors };
}

async function statesOf(database: Db, statements: readonly Statement[]): Promise<ReadonlyMap<string, State>> {
  const tokens = statements.map(({ token }) => token);
  const states = await retryRead(() =>
    findDocuments<State>(database, 'entitlements', {
      filter: { _id: { $in: statements.map(({ entitlementId }) => entitlementId) } },
      projection: {
        revision: 1,
        tokens: { $setIntersection: [{ $ifNull: ['$records.token', []] }, { $literal: tokens }] },
      },
      batchSize: statements.length,
    }),
  );
  return new Map(states.map((state) => [state._id, state]));
}

function verdictOf({ entitlementId, token }: Statement, states: ReadonlyMap<string, State>): Verdict {
  const state = states.get(entitlementId);
  if (state?.tokens.some((found) => found.equals(token)) === true) return { kind: 'won' };
  return { kind: 'lost', revision: state?.revision ?? null };
}
