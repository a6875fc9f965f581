import type { Call } from '../../../../core/call.ts';
import { badge } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { seenIn, type Seen } from '../form/seen.ts';
import type { ConsoleAnswer } from './console-page.ts';
import { codeLine } from './error-page.ts';

/** A change that was not made, because the thing is not as it was shown. */
export interface ChangedMeanwhile {
  /** "You were about to pause quiet-editor. Nothing was changed." */
  readonly says: Html;
  readonly rows: readonly { readonly name: string; readonly saw: Html | string; readonly is: Html | string }[];
  readonly buttons: Html;
}

/** The page that compares the state that a person saw with the current one. */
export function changedMeanwhile({ says, rows, buttons }: ChangedMeanwhile, { correlationId }: Call): ConsoleAnswer {
  const title = 'It changed while you were looking';
  const code = 'changed_meanwhile';
  return {
    kind: 'page',
    status: 409,
    error: code,
    title,
    main: html`<div class="confirm">
      ${badge('plain', '409')}
      <h1>${title}</h1>
      <p>${says}</p>
      ${table(
        'What you saw, and what there is now',
        [
          { heading: 'What', isMuted: true, cell: ({ name }) => name },
          { heading: 'You saw', cell: ({ saw }) => saw },
          { heading: 'Now', cell: ({ is }) => is },
        ],
        rows,
      )}
      <div class="buttons">${buttons}</div>
      ${codeLine({ code, correlationId })}
    </div>`,
  };
}

/** An object as it is now, whose form carries the values that were shown in place of a version. */
export interface SeenThing {
  readonly now: Seen;
  /** "pause quiet-editor." */
  readonly intent: Html;
  readonly back: string;
}

/** The same for such a thing. */
export function changedSince(form: URLSearchParams, { now, intent, back }: SeenThing, call: Call): ConsoleAnswer {
  const saw = seenIn(form) ?? {};
  const names = [...new Set([...Object.keys(saw), ...Object.keys(now)])].filter(
    (name) => valueIn(saw, name) !== valueIn(now, name),
  );
  return changedMeanwhile(
    {
      says: html`You were about to ${intent} Nothing was changed.`,
      rows: names.map((name) => ({
        name,
        saw: html`<span class="was" dir="auto">${valueIn(saw, name)}</span>`,
        is: html`<strong dir="auto">${valueIn(now, name)}</strong>`,
      })),
      buttons: html`<a class="button primary" href="${back}">Look again</a>`,
    },
    call,
  );
}

/** The names come from a form, so one of them may be that of a member of every object. */
function valueIn(seen: Seen, name: string): string {
  return Object.hasOwn(seen, name) ? (seen[name] ?? '') : '';
}
