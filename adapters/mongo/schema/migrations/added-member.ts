import type { Db, Document } from 'mongodb';

/** Entitlements of one write: about a tenth of a second for the server. */
const sliceSize = 1000;

/** Adds a member to every entitlement that lacks it, slice by slice, by an expression as of the instant of the slice. */
export async function addToEntitlements(db: Db, member: string, valueAt: (now: Date) => Document): Promise<void> {
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
    const filter = { _id: { $in: ids }, [member]: { $exists: false } };
    await entitlements.updateMany(filter, [{ $set: { [member]: valueAt(new Date()) } }]);
    if (ids.length < sliceSize) return;
    last = ids.at(-1) ?? last;
  }
}
