import { day } from '../../../../core/parsing/duration.ts';
import { unreadable, type Noted } from '../record/noted.ts';
import {
  BadRecord,
  type Access,
  type SoldInterval,
  type Vendor,
  type VendorReading,
  type VendorRecord,
} from '../record/sold.ts';
import { droppedOf, flagAt, instantAt, neededInstant, neededText, textAt } from '../record/values.ts';

/** The values of Recurrence. */
const recurrences: ReadonlyMap<string, SoldInterval> = new Map<string, SoldInterval>([
  ['monthly', { unit: 'month', count: 1 }],
  ['quarterly', { unit: 'month', count: 3 }],
  ['biannually', { unit: 'month', count: 6 }],
  ['yearly', { unit: 'year', count: 1 }],
  ['every_two_years', { unit: 'year', count: 2 }],
]);

const totals = { column: 'Purchase ID', text: 'Totals' } as const;

/**
 * The CSV of sales of Gumroad. A renewal is a row of its own with the key of the first sale, so that the rows of a key are
 * noted first. The first of them names the purchase; the latest says what was bought, and whether it was paid.
 */
export const gumroad: Vendor = {
  name: 'Gumroad',
  prefix: 'gumroad',
  form: 'the CSV of its sales',
  columns: [
    'Purchase ID',
    'Item Name',
    'Product ID',
    'Variants',
    'Recurrence',
    'Recurring Charge?',
    'Subscription End Date',
    'Fully Refunded?',
    'Disputed?',
    'Dispute Won?',
    'Access Revoked?',
    'License Key',
    'License Key Enabled?',
    'Purchase Date',
  ],
  isJson: false,
  makesKeys: false,
  mayOutliveEnd: false,
  lastRow: totals,
  unpack: null,
  note,
  read,
  dropped: (row) =>
    droppedOf(row, {
      emails: [['Purchase Email'], ['Buyer Email'], ['Giftee Email']],
      names: [['Buyer Name']],
      activations: [['License Key Activation Count']],
    }),
};

/** The facts that the rows of a key have together. */
interface SalesOfKey {
  readonly first: { readonly id: string; readonly isRenewal: boolean; readonly at: number };
  readonly latest: {
    readonly at: number;
    readonly recurrence: string | null;
    readonly variants: string | null;
    readonly isTrial: boolean;
    readonly isRefunded: boolean;
    readonly isDisputed: boolean;
  };
  /** Whether the buyer has all money back, or may get it. */
  readonly isUnpaid: boolean;
  readonly isRevoked: boolean;
  readonly endDate: number | null;
  readonly isCanceled: boolean;
}

function note(row: VendorRecord, noted: Noted): void {
  const key = textAt(row, 'License Key');
  if (isTotals(row) || key === null || isAuthorization(row)) return;
  const text = noted.find(nameOf(key));
  if (text === unreadable) return;
  noted.set(nameOf(key), unreadable);
  const own = salesOf(row);
  noted.set(nameOf(key), JSON.stringify(text === null ? own : merged(JSON.parse(text) as SalesOfKey, own)));
}

function salesOf(row: VendorRecord): SalesOfKey {
  const at = (instantAt(row, 'Purchase Time (UTC timezone)') ?? neededInstant(row, 'Purchase Date')).getTime();
  const isRefunded = flagAt(row, 'Fully Refunded?');
  const isDisputed = flagAt(row, 'Disputed?') && !flagAt(row, 'Dispute Won?');
  const isEnabled = textAt(row, 'License Key Enabled?') === null || flagAt(row, 'License Key Enabled?');
  return {
    first: { id: neededText(row, 'Purchase ID'), isRenewal: flagAt(row, 'Recurring Charge?'), at },
    latest: {
      at,
      recurrence: textAt(row, 'Recurrence'),
      variants: textAt(row, 'Variants'),
      isTrial: flagAt(row, 'Free trial purchase?'),
      isRefunded,
      isDisputed,
    },
    isUnpaid: isRefunded || isDisputed,
    isRevoked: flagAt(row, 'Access Revoked?') || !isEnabled,
    endDate: instantAt(row, 'Subscription End Date')?.getTime() ?? null,
    isCanceled: instantAt(row, 'Cancellation Date') !== null,
  };
}

function merged(known: SalesOfKey, row: SalesOfKey): SalesOfKey {
  const isEarlier =
    row.first.isRenewal === known.first.isRenewal ? row.first.at < known.first.at : known.first.isRenewal;
  const latest = row.latest.at >= known.latest.at ? row : known;
  return {
    first: isEarlier ? row.first : known.first,
    latest: latest.latest,
    isUnpaid: known.isUnpaid && row.isUnpaid,
    isRevoked: known.isRevoked || row.isRevoked,
    endDate: latest.endDate,
    isCanceled: latest.isCanceled,
  };
}

function read(row: VendorRecord, noted: Noted): VendorReading {
  if (isTotals(row)) return { kind: 'part' };
  const key = textAt(row, 'License Key');
  if (key === null) return { kind: 'left out', reason: 'without a license key' };
  if (isAuthorization(row)) return { kind: 'left out', reason: 'ordered before the release and not charged' };
  const own = salesOf(row);
  const text = noted.find(nameOf(key));
  if (text === unreadable) throw new BadRecord('Another sale with this key cannot be read.');
  const sales = text === null ? own : (JSON.parse(text) as SalesOfKey);
  const { first, latest } = sales;
  const id = neededText(row, 'Purchase ID');
  if (id !== first.id) return { kind: 'part' };
  // Gumroad keeps the day only, and access lasts through it.
  const end = sales.endDate === null ? null : { at: new Date(sales.endDate + day), grace: '0s' };
  const interval = latest.recurrence === null ? null : recurrences.get(latest.recurrence.toLowerCase());
  if (interval === undefined) throw new BadRecord('Recurrence must be one of the recurrences of Gumroad.');
  return {
    kind: 'sold',
    sold: [
      {
        id,
        products: productsOf(row, latest.variants),
        listedAs: textAt(row, 'Product ID') ?? neededText(row, 'Item Name'),
        reference: id,
        key,
        start: new Date(interval === null ? first.at : latest.at),
        end,
        isCanceled: sales.isCanceled,
        isCharged: interval !== null,
        interval,
        access: accessOf(sales),
        standing: latest.isTrial ? 'trialing' : 'active',
      },
    ],
  };
}

/**
 * A refund or a dispute takes back the charge that it names. That is all of a purchase. A subscription goes on: Gumroad
 * disables the key, or names an end, if it does not.
 */
function accessOf({ isRevoked, isUnpaid, latest }: SalesOfKey): Access {
  if (isRevoked) return 'revoked';
  if (latest.recurrence === null) return latest.isRefunded || latest.isDisputed ? 'revoked' : 'current';
  return isUnpaid || latest.isDisputed ? 'suspended' : 'current';
}

/** The names of a purchase in the map: with its variants in parentheses, the variants alone, the product, its name. */
function productsOf(row: VendorRecord, variants: string | null): readonly string[] {
  const products = [textAt(row, 'Product ID'), textAt(row, 'Item Name')].filter((name) => name !== null);
  return variants === null ? products : [...products.map((name) => `${name} (${variants})`), variants, ...products];
}

function isTotals(row: VendorRecord): boolean {
  return textAt(row, totals.column) === totals.text;
}

/** A pre-order, which becomes a sale of its own when it is charged. */
function isAuthorization(row: VendorRecord): boolean {
  return flagAt(row, 'Pre-order authorization?');
}

function nameOf(key: string): string {
  return `key ${key}`;
}
