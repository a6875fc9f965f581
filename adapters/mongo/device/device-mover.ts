import { MongoServerError, type Document } from 'mongodb';
import { duplicateField } from '../driver/errors.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { deviceKey, type DeviceMove, type MovingEntitlement } from './device-document.ts';

/** The commands that moves are carried out with. */
export type MoverDatabase = Pick<MongoDatabase, 'findOnce' | 'writeCommand'>;

/** Entitlements of one slice of `carryOutWaiting`. */
const sliceSize = 100;

/**
 * Carries moves of devices out, and removes them from their entitlements. Any number of processes may do so at the same
 * time, die, and come late: a move changes only a document that an earlier revision has written, and readers take the
 * moves of the entitlement before the documents.
 */
export async function carryOut(database: MoverDatabase, entitlements: readonly MovingEntitlement[]): Promise<void> {
  const moving = entitlements.flatMap(({ _id, moves = [] }) => (moves.length === 0 ? [] : [{ _id, moves }]));
  if (moving.length === 0) return;
  const updates = moving.flatMap(({ _id, moves }) => moves.map((move) => updateOf(_id, move)));
  const reply = await database.writeCommand({ update: 'devices', updates, ordered: false });
  const errors: readonly { readonly code: number }[] = reply['writeErrors'] ?? [];
  // A document that a later revision has written does not match, and its id is taken.
  const other = errors.find((error) => duplicateField(error) === null);
  if (other !== undefined) throw new MongoServerError(other);
  await database.writeCommand({
    update: 'entitlements',
    updates: moving.map(({ _id, moves }) => ({
      q: { _id },
      u: { $pull: { moves: { $or: moves.map(({ id, n }) => ({ id, n })) } } },
    })),
    ordered: false,
  });
}

/** Carries out the moves that a process has left. Returns false if there may be more. */
export async function carryOutWaiting(database: MoverDatabase): Promise<boolean> {
  const waiting = await database.findOnce<MovingEntitlement>('entitlements', {
    filter: { 'moves.n': { $exists: true } },
    projection: { moves: 1 },
    limit: sliceSize,
  });
  await carryOut(database, waiting);
  return waiting.length < sliceSize;
}

function updateOf(of: string, { id, n, put }: DeviceMove): Document {
  const facts = put === null ? { gone: new Date() } : { ...put, gone: null };
  const whole = { of, id, n, ...facts };
  return { q: { _id: deviceKey(of, id), n: { $lt: n } }, u: { $set: whole }, upsert: true };
}
