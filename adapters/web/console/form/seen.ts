import { Refusal } from '../../../../core/refusal.ts';
import type { Html } from '../../markup/html.ts';
import { hidden } from '../display/view.ts';

/** Reads the version of a thing that the page of a form has shown. Refuses with `invalid_parameter`. */
export function seenVersion(form: URLSearchParams): number {
  const text = form.get('version') ?? '';
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal('invalid_parameter', { message: 'version must be the one that the page has shown.' });
}

/**
 * The values that a page has shown of a thing without a version, by their names. They travel with the form in place of
 * one.
 */
export type Seen = Readonly<Record<string, string>>;

/** The form field that carries the values that were shown. */
export function seenField(seen: Seen): Html {
  return hidden('version', versionOf(seen));
}

/** The shown values in a form; null if it has none. */
export function seenIn(form: URLSearchParams): Seen | null {
  let value: unknown;
  try {
    value = JSON.parse(form.get('version') ?? '');
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  return Object.fromEntries(entries.map(([name, text]) => [name, typeof text === 'string' ? text : '']));
}

/** Whether a form was shown for another state of the thing than it has now. */
export function isStale(form: URLSearchParams, now: Seen): boolean {
  return form.get('version') !== versionOf(now);
}

function versionOf(seen: Seen): string {
  return JSON.stringify(Object.fromEntries(Object.entries(seen).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
