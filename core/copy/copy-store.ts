import type { NewCall } from '../call.ts';
import { isFresh } from '../receipt/key-ring.ts';
import { Refusal } from '../refusal.ts';
import { sections, type Archive, type Entry, type Section } from './archive.port.ts';
import { compareStores, moveAllEvents, walk, type Comparison } from './compare-stores.ts';

export interface CopyOptions {
  /** Continues a copy: entries that are the same stay, all others are replaced or removed. */
  readonly resume: boolean;
}

/** Reports how many steps are done. */
export type CopyProgress = (done: number, total: number) => void;

/** A finished copy, and how the stores compare after it. */
export interface Copy extends Comparison {
  /** The number of entries that were removed from the target or added to it. */
  readonly written: number;
}

/**
 * Copies everything from one store to another, idempotency records included, and compares the two. Refuses with
 * `copy_target_used` before it changes anything, and with `copy_source_changed` if a write conflicts on the way. A target
 * that has nothing but signing keys that a start has made loses them.
 */
export type CopyStore = (options: CopyOptions, newCall: NewCall, progress: CopyProgress) => Promise<Copy>;

const batchSize = 200;

/** A batch is full with this many records, too, because one entitlement may have a thousand. */
const maxRecords = 1000;

export function copyStore(from: Archive, to: Archive): CopyStore {
  return async ({ resume }, newCall, progress) => {
    if (!resume && (await isUsed(to, newCall))) throw new Refusal('copy_target_used');
    await moveAllEvents(from, newCall);
    await moveAllEvents(to, newCall);
    // First, so that the copied records are kept from the beginning.
    for (const promise of await from.retentionPromises.list(newCall()))
      await to.retentionPromises.add(promise, newCall());
    // Three walks over the source: to remove, to insert, and to compare.
    const all = 3 * (await total(from, newCall));
    let done = 0;
    const onEntry = (): void => {
      done += 1;
      if (done % batchSize === 0) progress(Math.min(done, all), all);
    };
    // Remove in every section before inserting: a license or a key may have moved from one entry to another.
    let written = 0;
    for (const section of sections) written += await removeWrong(from, to, section, newCall, onEntry);
    for (const section of sections) written += await insertMissing(from, to, section, newCall, onEntry);
    const comparison = await compareStores(from, to)(newCall, onEntry);
    progress(all, all);
    return { ...comparison, written };
  };
}

async function isUsed(archive: Archive, newCall: NewCall): Promise<boolean> {
  const keys = await archive.page('signingKeys', '', newCall());
  const hasFreshKeys = keys.every((entry) => entry.section === 'signingKeys' && isFresh(entry.value));
  return !hasFreshKeys || (await total(archive, newCall)) > keys.length;
}

async function total(archive: Archive, newCall: NewCall): Promise<number> {
  let sum = 0;
  for (const section of sections) sum += await archive.count(section, newCall());
  return sum;
}

async function removeWrong(
  from: Archive,
  to: Archive,
  section: Section,
  newCall: NewCall,
  onEntry: () => void,
): Promise<number> {
  const remove = inBatches<string>((ids) => to.remove(section, ids, newCall()));
  for await (const { kind, id } of walk(from, to, section, newCall)) {
    if (kind !== 'surplus') onEntry();
    if (kind === 'surplus' || kind === 'different') await remove.add(id);
  }
  return remove.flush();
}

async function insertMissing(
  from: Archive,
  to: Archive,
  section: Section,
  newCall: NewCall,
  onEntry: () => void,
): Promise<number> {
  const insert = inBatches<Entry>(async (entries) => {
    if (!(await to.insert(entries, newCall()))) throw new Refusal('copy_source_changed');
  }, recordsOf);
  for await (const step of walk(from, to, section, newCall)) {
    if (step.kind !== 'surplus') onEntry();
    if (step.kind === 'missing') await insert.add(step.entry);
  }
  return insert.flush();
}

function recordsOf(entry: Entry): number {
  return entry.section === 'entitlements' ? entry.value.records.length + entry.value.history.length : 0;
}

/** Gathers items and sends them in batches. */
function inBatches<T>(send: (items: readonly T[]) => Promise<void>, recordsIn: (item: T) => number = () => 0) {
  let items: T[] = [];
  let records = 0;
  let sent = 0;
  /** Sends the rest, and returns how many items have been sent in all. */
  const flush = async (): Promise<number> => {
    const batch = items;
    items = [];
    records = 0;
    if (batch.length > 0) await send(batch);
    sent += batch.length;
    return sent;
  };
  const add = async (item: T): Promise<void> => {
    records += recordsIn(item);
    if (items.push(item) >= batchSize || records >= maxRecords) await flush();
  };
  return { add, flush };
}
