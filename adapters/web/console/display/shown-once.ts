import { html, type Html } from '../../markup/html.ts';
import { crumbs, facts, note, type Crumb } from './parts.ts';
import type { PageContent } from './view.ts';

/** A key or secret that was made, and is shown this once. */
export interface ShownOnce {
  readonly path: readonly Crumb[];
  readonly here: string;
  /** "The app key is ready". */
  readonly heading: string;
  /** "App key". */
  readonly label: string;
  /** Null if the form was sent before: nothing shows a key twice. */
  readonly secret: string | null;
  /** The advice about what is stored, and about a loss. */
  readonly advice: string;
  readonly facts: readonly (readonly [name: string, value: Html | string])[];
  /** The warning about it; absent without one. */
  readonly warning?: string | undefined;
  readonly back: string;
}

export function shownOncePage({
  path,
  here,
  heading,
  label,
  secret,
  advice,
  warning,
  back,
  ...own
}: ShownOnce): PageContent {
  return {
    title: heading,
    main: html`<div class="confirm">
      ${crumbs(path, here)}
      <h1>${heading}</h1>
      ${
        secret === null
          ? note(
              'warn',
              'It is not shown again.',
              html`<p>The form was sent before, and the answer to that has shown it. ${advice}</p>`,
            )
          : html`${note('warn', 'Copy it now. It is never shown again.', html`<p>${advice}</p>`)}
            ${secretBox(label, secret)}`
      }
      ${warning === undefined ? null : note('warn', warning, null)} ${facts(own.facts, 'boxed')}
      <div class="buttons">
        <a class="button primary" href="${back}">${secret === null ? 'Go back' : 'I have copied it'}</a>
      </div>
    </div>`,
  };
}

/** A text to be copied, selected by a click. */
export function secretBox(label: string, text: string): Html {
  return html`<div class="field">
    <span class="label" id="secret-label">${label}</span
    ><code class="secret" tabindex="0" role="textbox" aria-readonly="true" aria-labelledby="secret-label">${text}</code>
    <p class="hint">Click it to select all of it, then copy.</p>
  </div>`;
}
