import type { Db, Document } from 'mongodb';

/** Entitlements of one write: about a tenth of a second for the server. */
const sliceSize = 1000;

/** Adds a member to every entitlement that lacks it, slice by slice, by an expression as of the instant of the slice. */
export function addToEntitlements(db: Db, member: string, valueAt: (now: Date) => Document): Promise<void> {
  return updateEntitlements(db, { [member]: { $exists: false } }, () => ({ $set: { [member]: valueAt(new Date()) } }));
}

/** Updates every entitlement that a filter finds, slice by slice, by the stage that is made for the slice. */
export async function updateEntitlements(db: Db, filter: object, stage: () => Document): Promise<void> {
  const entitlements = db.collection<{ readonly _id: string }>('entitlements');
  let last = '';
  for (;;) {
    const slice = { _id: { $gt: last } };
    const found = await entitlements
      .find(slice, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(sliceSize)
      .toArray();
    const ids = found.map(({ _id }) => _id);
    await entitlements.updateMany({ ...filter, _id: { $in: ids } }, [stage()]);
    if (ids.length < sliceSize) return;
    last = ids.at(-1) ?? last;
  }
}
