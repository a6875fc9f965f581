import type { NewCall } from '../call.ts';
import { Refusal } from '../refusal.ts';
import { sections, type Archive, type Entry, type Section } from './archive.port.ts';
import { compareStores, walk, type Comparison } from './compare-stores.ts';

export interface CopyOptions {
  /** Goes on with a copy that was begun: what is the same stays, everything else becomes as in the source. */
  readonly resume: boolean;
}

/** So far, and in all. */
export type CopyProgress = (done: number, total: number) => void;

/** How the stores compare after a copy. */
export interface Copy extends Comparison {
  /** Entries that were removed from the other store or added to it. */
  readonly written: number;
}

/**
 * Copies everything from one store to another, records included, and compares them at the end. Refuses with
 * `copy_target_used`, where nothing is done, and with `copy_source_changed`.
 */
export type CopyStore = (options: CopyOptions, newCall: NewCall, progress: CopyProgress) => Promise<Copy>;

const batchSize = 200;

/** Records that may be in a batch before it takes no more entries: an entitlement may have a thousand. */
const recordsOfBatch = 1000;

export function copyStore(from: Archive, to: Archive): CopyStore {
  return async ({ resume }, newCall, progress) => {
    if (!resume && (await total(to, newCall)) > 0) throw new Refusal('copy_target_used');
    // Three walks over the source: what is wrong, what is missing, and the comparison.
    const all = 3 * (await total(from, newCall));
    let done = 0;
    const passed = (): void => {
      done += 1;
      if (done % batchSize === 0) progress(Math.min(done, all), all);
    };
    // What is wrong goes first and everywhere: a license or a key may have moved from one entry to another.
    let written = 0;
    for (const section of sections) written += await removeWrong(from, to, section, newCall, passed);
    for (const section of sections) written += await insertMissing(from, to, section, newCall, passed);
    const comparison = await compareStores(from, to)(newCall, passed);
    progress(all, all);
    return { ...comparison, written };
  };
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
  passed: () => void,
): Promise<number> {
  const remove = inBatches<string>((ids) => to.remove(section, ids, newCall()));
  for await (const { kind, id } of walk(from, to, section, newCall)) {
    if (kind !== 'surplus') passed();
    if (kind === 'surplus' || kind === 'different') await remove.add(id);
  }
  return remove.flush();
}

async function insertMissing(
  from: Archive,
  to: Archive,
  section: Section,
  newCall: NewCall,
  passed: () => void,
): Promise<number> {
  const insert = inBatches<Entry>(async (entries) => {
    if (!(await to.insert(entries, newCall()))) throw new Refusal('copy_source_changed');
  }, recordsOf);
  for await (const step of walk(from, to, section, newCall)) {
    if (step.kind !== 'surplus') passed();
    if (step.kind === 'missing') await insert.add(step.entry);
  }
  return insert.flush();
}

function recordsOf(entry: Entry): number {
  return entry.section === 'entitlements' ? entry.value.records.length : 0;
}

function inBatches<T>(send: (items: readonly T[]) => Promise<void>, recordsIn: (item: T) => number = () => 0) {
  let items: T[] = [];
  let records = 0;
  let sent = 0;
  /** Returns how many have been sent so far. */
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
    if (items.push(item) >= batchSize || records >= recordsOfBatch) await flush();
  };
  return { add, flush };
}
