import { isIdentifier } from '../../../core/identifier.ts';
import { canBeImported } from '../../../core/license/license-key.ts';
import type { Shell } from '../shell/shell.ts';
import { Deliveries } from './deliveries.ts';
import { MissingIds, wrongEntry, type MappedTier, type ProductMap } from './product-map.ts';
import { Noted } from './record/noted.ts';
import { BadRecord, type Sold, type Vendor, type VendorRecord } from './record/sold.ts';
import { textAt, valueAt } from './record/values.ts';
import {
  assumesInterval,
  entitlementId,
  hasEnded,
  isTrialWithoutEnd,
  lineOf,
  type SoldLine,
  type Times,
} from './sold-line.ts';
import { Tally } from './tally.ts';
import { foreign, openVendorFile, recordsOf, type FileRecord, type VendorFile } from './vendor-files.ts';

/** The plan by which the files of a vendor are rewritten. */
export interface RewritePlan {
  readonly vendor: Vendor;
  readonly map: ProductMap;
  readonly times: Times;
  readonly skipEnded: boolean;
  /** Makes a key for a purchase of a vendor without keys; null to make none. */
  readonly newKey: (() => string) | null;
}

/** A record, rewritten. */
export type Rewritten =
  | { readonly kind: 'line'; readonly line: number; readonly content: SoldLine }
  | { readonly kind: 'bad'; readonly line: number; readonly problem: string };

/** The findings of the pass before anything is written. */
export interface Survey {
  /** The size of all files in bytes; null if one of them has none. */
  readonly size: number | null;
  readonly notices: readonly string[];
}

/** A record that is imported. */
interface Found {
  readonly sold: Sold;
  readonly tier: MappedTier;
  /** Without its key and its reference. */
  readonly content: SoldLine;
}

/** The outcome of a record. */
type Finding =
  | ({ readonly kind: 'found' } & Found)
  | { readonly kind: 'left out'; readonly reason: string }
  | { readonly kind: 'not mapped'; readonly id: string }
  | { readonly kind: 'part' };

/** Rewrites the records of a vendor's files. The files are read several times, because their records explain each other. */
export class Rewriting {
  readonly #plan: RewritePlan;
  readonly #noted = new Noted();
  /** Null for a vendor without deliveries. */
  readonly #deliveries: Deliveries | null;
  #pass = 0;

  constructor(plan: RewritePlan) {
    this.#plan = plan;
    this.#deliveries = plan.vendor.unpack === null ? null : new Deliveries(this.#noted);
  }

  /**
   * Reads all files, and notes what the records need. Throws `WrongArgument` for a file that cannot be used, and
   * `CommandFailed` for ids that the map lacks.
   */
  async survey(paths: readonly string[], shell: Shell): Promise<Survey> {
    const { vendor } = this.#plan;
    const notices: string[] = [];
    let size: number | null = 0;
    for (const [position, path] of paths.entries()) {
      const file = await openVendorFile(path, position, paths.length, shell);
      size = size === null || file.size === null ? null : size + file.size;
      if (!(await this.#noteAll(file)))
        notices.push(`Warning: ${file.name} has no row of totals at its end: was it cut?`);
    }
    const tally = new Tally();
    const missing = new MissingIds();
    this.startPass();
    for (const [position, path] of paths.entries()) {
      const file = await openVendorFile(path, position, paths.length, shell);
      for await (const each of recordsOf(file, vendor)) this.#count(each, file, tally, missing);
    }
    missing.check();
    return { size, notices: [...notices, ...tally.lines()] };
  }

  /** Starts reading the files again: records that an earlier pass has seen count as new. */
  startPass(): void {
    this.#pass += 1;
    this.#deliveries?.startPass();
  }

  /** Rewrites the records of one file, except those that are left out. */
  async *rewrite(file: VendorFile): AsyncIterable<Rewritten> {
    for await (const each of recordsOf(file, this.#plan.vendor)) {
      const { line } = each;
      try {
        const finding = this.#find(each, file);
        if (finding.kind === 'found') yield { kind: 'line', line, content: this.#lineOf(finding) };
      } catch (error) {
        if (!(error instanceof BadRecord)) throw error;
        yield { kind: 'bad', line, problem: `${nameOf(each, this.#plan.vendor)}${error.message}` };
      }
    }
  }

  close(): void {
    this.#noted.close();
  }

  /** Notes the records of a file, and reports whether its last row is as the vendor writes it. */
  async #noteAll(file: VendorFile): Promise<boolean> {
    const { vendor } = this.#plan;
    const { note, lastRow } = vendor;
    let last: VendorRecord | null = null;
    for await (const each of recordsOf(file, vendor)) {
      const { record } = each;
      last = record;
      const counts = this.#deliveries?.note(each) ?? true;
      if (counts && note !== null && record !== null) ignoringBadRecords(() => note(record, this.#noted));
    }
    return lastRow === null || valueAt(last, lastRow.column) === lastRow.text;
  }

  #count(each: FileRecord, file: VendorFile, tally: Tally, missing: MissingIds): void {
    ignoringBadRecords(() => {
      if (each.record !== null) tally.drop(this.#plan.vendor.dropped(each.record));
      const finding = this.#find(each, file);
      if (finding.kind === 'left out') tally.leaveOut(finding.reason);
      if (finding.kind === 'not mapped') missing.add(finding.id);
      if (finding.kind !== 'found') return;
      const { sold, tier, content } = finding;
      if (assumesInterval(sold, tier)) tally.assumeInterval();
      if (content.status === 'past_due') tally.countState('overdue');
      if (content.status === 'suspended') tally.countState('suspended');
      if (content.status === 'trialing' && isTrialWithoutEnd(sold)) tally.countState('trials');
      if (sold.key !== null && !canBeImported(sold.key)) tally.rejectKey(content.id, [...sold.key].length);
    });
  }

  /** Decides what becomes of a record. Throws `BadRecord`, and `WrongArgument` for one of another vendor. */
  #find(each: FileRecord, file: VendorFile): Finding {
    const counts = this.#deliveries?.counts(each) ?? true;
    const { record, problem, deliveredAt } = each;
    if (record === null) throw new BadRecord(problem ?? '');
    const { vendor, map, skipEnded, times } = this.#plan;
    const reading = vendor.read(record, this.#noted);
    if (reading.kind === 'foreign' && deliveredAt !== null) return { kind: 'left out', reason: 'of another kind' };
    if (reading.kind === 'foreign') throw foreign(file, vendor);
    if (!counts) return { kind: 'left out', reason: 'repeated' };
    if (reading.kind !== 'sold') return reading;
    const mapped = mappedOf(reading.sold, map, vendor);
    if (mapped.kind !== 'mapped') return mapped;
    const { tier } = mapped;
    const sold = tier.billingInterval === 'one_time' && vendor.mayOutliveEnd ? withoutEnd(mapped.sold) : mapped.sold;
    const id = entitlementId(vendor.prefix, sold.id);
    const content = lineOf(sold, tier, id, times);
    if (skipEnded && hasEnded(content, times.now)) return { kind: 'left out', reason: 'ended' };
    // Pages shift while sales go on, so that a record can be on two of them.
    if (!this.#isNew(`id ${id}`)) return { kind: 'left out', reason: 'repeated' };
    return { kind: 'found', sold, tier, content };
  }

  #lineOf({ sold, tier, content }: Found): SoldLine {
    const { times, vendor, newKey } = this.#plan;
    const reference = this.#referenceOf(sold, tier);
    const made = vendor.makesKeys && newKey !== null && !hasEnded(content, times.now) ? newKey() : null;
    const licenseKey = sold.key !== null && canBeImported(sold.key) ? sold.key : made;
    return { ...content, ...(reference !== null && { reference }), ...(licenseKey !== null && { licenseKey }) };
  }

  /** The reference of a purchase. A product has each of them once, but one order can have several keys. */
  #referenceOf({ reference, id }: Sold, { productId }: MappedTier): string | null {
    if (reference === null || this.#isNew(`reference ${productId}/${reference}`)) return reference;
    return `${reference}/${id}`;
  }

  #isNew(name: string): boolean {
    return this.#noted.isNew(`${this.#pass} ${name}`);
  }
}

/** The id of a record, to precede the mistake in it: a page of an API often has all of its records on one line. */
function nameOf({ record }: FileRecord, { prefix }: Vendor): string {
  const id = entitlementId(prefix, textAt(record, 'id') ?? '');
  return id !== `${prefix}_` && isIdentifier(id) ? `${id}: ` : '';
}

/** The mapping of a purchase: its first item with a tier, unless it lacks one or leaves all of them out. */
function mappedOf(
  items: readonly Sold[],
  map: ProductMap,
  vendor: Vendor,
): { readonly kind: 'mapped'; readonly sold: Sold; readonly tier: MappedTier } | Exclude<Finding, { kind: 'found' }> {
  let missing: string | null = null;
  for (const sold of items) {
    if (sold.key === null && !vendor.makesKeys) return { kind: 'left out', reason: 'without a license key' };
    const name = sold.products.find((each) => map.has(each));
    const tier = name === undefined ? null : (map.get(name) ?? null);
    if (tier !== null) return { kind: 'mapped', sold, tier: withInterval(tier, sold, name, vendor) };
    if (name === undefined) missing ??= sold.listedAs;
  }
  return missing === null ? { kind: 'left out', reason: 'by the map' } : { kind: 'not mapped', id: missing };
}

/** A purchase whose access goes on after its end. */
function withoutEnd(sold: Sold): Sold {
  return { ...sold, end: null, access: sold.access === 'ended' ? 'current' : sold.access };
}

/** The tier of a purchase. Throws `WrongArgument` if the map counts intervals of which nobody says how long they are. */
function withInterval(tier: MappedTier, sold: Sold, name = '', { name: vendor }: Vendor): MappedTier {
  const { billingInterval, billingIntervalCount } = tier;
  if (sold.interval !== null || billingInterval !== undefined || billingIntervalCount === undefined) return tier;
  throw wrongEntry(name, `billingIntervalCount needs a billingInterval, because ${vendor} does not name it.`);
}

/** Runs `work`. The pass that rewrites reports the records that cannot be read. */
function ignoringBadRecords(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
  }
}
