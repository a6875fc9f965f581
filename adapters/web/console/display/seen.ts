import { html, type Html } from '../../markup/html.ts';
import { badge } from './badge.ts';
import { table } from './table.ts';
import { hidden, type PageContent } from './view.ts';

/** What a page has shown of a thing, by what each value is. It travels with the form, as the version of the thing. */
export type Seen = Readonly<Record<string, string>>;

/** The form field that says what was shown. */
export function seenField(seen: Seen): Html {
  return hidden('version', versionOf(seen));
}

/** What a form says was shown; null if it does not say it. */
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

/** A change that was not made, because the thing is not as it was shown. */
export interface StaleChange {
  /** "You were about to pause quiet-editor." */
  readonly intent: Html;
  readonly saw: Seen | null;
  readonly now: Seen;
  readonly back: string;
}

/** What a person saw beside what there is now. */
export function stalePage({ intent, saw, now, back }: StaleChange): PageContent {
  const names = [...new Set([...Object.keys(saw ?? {}), ...Object.keys(now)])];
  const rows = names
    .map((name) => ({ name, was: saw?.[name] ?? '', is: now[name] ?? '' }))
    .filter(({ was, is }) => was !== is);
  return {
    title: 'It changed while you were looking',
    main: html`<div class="confirm">
      ${badge('plain', '409')}
      <h1>It changed while you were looking</h1>
      <p>${intent} Nothing was changed.</p>
      ${table(
        'What you saw, and what there is now',
        [
          { heading: 'What', isMuted: true, cell: ({ name }) => name },
          { heading: 'You saw', cell: ({ was }) => html`<span class="was" dir="auto">${was}</span>` },
          { heading: 'Now', cell: ({ is }) => html`<strong dir="auto">${is}</strong>` },
        ],
        rows,
      )}
      <div class="buttons"><a class="button primary" href="${back}">Look again</a></div>
    </div>`,
  };
}
