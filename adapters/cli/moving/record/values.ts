import { maxDevices } from '../../../../core/entitlement/entitlement.ts';
import { instantOf, parseInstant } from '../../../../core/parsing/instant.ts';
import { BadRecord, type Dropped, type VendorRecord } from './sold.ts';

export function isRecord(value: unknown): value is VendorRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of members; undefined without one. */
export function valueAt(record: unknown, ...path: readonly string[]): unknown {
  let value = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as VendorRecord)[name];
  }
  return value;
}

/** The text or the number at a path, as text without the white space at its ends; null without one, or if it is empty. */
export function textAt(record: unknown, ...path: readonly string[]): string | null {
  const value = valueAt(record, ...path);
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/** Like `textAt`. Throws `BadRecord` without one. */
export function neededText(record: unknown, ...path: readonly string[]): string {
  return textAt(record, ...path) ?? bad(path, 'is missing');
}

const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [undefined, false],
  [null, false],
  [0, false],
  [1, true],
  [false, false],
  [true, true],
  ['', false],
  ['0', false],
  ['1', true],
  ['false', false],
  ['true', true],
]);

/** A flag: 1 or 0, as a number, a text or a boolean. One that is left out is false. */
export function flagAt(record: unknown, ...path: readonly string[]): boolean {
  const value = valueAt(record, ...path);
  return flags.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? bad(path, 'must be 0 or 1');
}

const time = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/**
 * The instant at a path, as seconds since 1970 or as a text. A text without a zone is in UTC, and a day is its first
 * instant. Null without one, and for a text after the year 8999, which stands for never. Throws `BadRecord` for any other
 * value.
 */
export function instantAt(record: unknown, ...path: readonly string[]): Date | null {
  const value = valueAt(record, ...path) ?? '';
  if (typeof value === 'number') return instantOf(value * 1000) ?? bad(path, 'must be an instant');
  if (typeof value !== 'string') return bad(path, 'must be an instant');
  const text = value.trim();
  if (text === '' || /^9\d{3}-/.test(text)) return null;
  const [, day = '', minutes = '00:00', seconds = ':00', zone = 'Z'] = time.exec(text) ?? [];
  const offset = /^[+-]/.test(zone) ? zone.replace(/:?(\d\d)$/, ':$1') : 'Z';
  return parseInstant(`${day}T${minutes}${seconds}${offset}`) ?? bad(path, 'must be an instant');
}

/** Like `instantAt`. Throws `BadRecord` without one, too. */
export function neededInstant(record: unknown, ...path: readonly string[]): Date {
  return instantAt(record, ...path) ?? bad(path, 'is missing');
}

/** The instant at a path at which a webhook has delivered something. The beginning of 1970 if it cannot be read. */
export function deliveryAt(record: unknown, ...path: readonly string[]): Date {
  try {
    return instantAt(record, ...path) ?? new Date(0);
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
    return new Date(0);
  }
}

/** The one of some values that a status is, in any case and with spaces or underscores. Throws `BadRecord` for another. */
export function statusAt<Status extends string>(
  record: unknown,
  statuses: readonly Status[],
  ...path: readonly string[]
): Status {
  const text = neededText(record, ...path)
    .toLowerCase()
    .replaceAll(' ', '_');
  return statuses.find((status) => status === text) ?? bad(path, `must be one of ${statuses.join(', ')}`);
}

/** The dropped facts of a record: the texts at these paths, and whether one of the counts is more than 0. */
export function droppedOf(
  record: unknown,
  paths: Readonly<Record<'emails' | 'names' | 'activations', readonly (readonly string[])[]>>,
): Dropped {
  const found = (each: readonly (readonly string[])[]): number =>
    each.filter((path) => textAt(record, ...path) !== null).length;
  const hasActivations = paths.activations.some((path) => Number(textAt(record, ...path) ?? 0) > 0);
  return { emails: found(paths.emails), names: found(paths.names), hasActivations };
}

/**
 * The limit of activations at a path, as a number or as text. Null without one, for 0, which stands for none, and for more
 * devices than an entitlement can have. Throws `BadRecord` for any other value.
 */
export function deviceLimitAt(record: unknown, ...path: readonly string[]): number | null {
  const value = valueAt(record, ...path) ?? '';
  const text = typeof value === 'number' ? String(value) : value;
  if (text === '' || text === '0') return null;
  if (typeof text !== 'string' || !/^\d+$/.test(text)) return bad(path, 'must be a whole number');
  return Number(text) > maxDevices ? null : Number(text);
}

function bad(path: readonly string[], problem: string): never {
  throw new BadRecord(`${path.join('.')} ${problem}.`);
}
