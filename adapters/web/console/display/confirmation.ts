import { html, type Html } from '../../markup/html.ts';
import { icon } from '../../markup/icons.ts';
import { crumbs, facts, note, type Crumb } from './parts.ts';
import { postForm, type PageContent, type PageView } from './view.ts';

/** The page before a change. It asks, and says what follows. */
export interface Confirmation {
  readonly path: readonly Crumb[];
  /** The name of the page in its path: "Revoke". */
  readonly here: string;
  /** "Revoke this app key?" */
  readonly question: string;
  /** The effects, of which some may not be undone. Without a heading, the list alone says it. */
  readonly effects: { readonly heading: string | null; readonly isFinal: boolean; readonly list: readonly Html[] };
  readonly facts: readonly (readonly [name: string, value: Html | string])[];
  /** The milder way; null without one. */
  readonly milder: Html | null;
  /** The content beside the question; null for nothing. */
  readonly beside?: Html | null;
  readonly action: string;
  /** The fields of the form, hidden ones included. */
  readonly fields: Html;
  /** A verb and a noun: "Revoke app key". */
  readonly button: string;
  readonly back: Crumb;
}

export function confirmationPage(view: PageView, asked: Confirmation): PageContent {
  const { effects, milder, back, button } = asked;
  const list = effects.list.map(
    (effect) => html`<li>${icon(effects.isFinal ? 'cross' : 'next')}<span>${effect}</span></li>`,
  );
  const style = effects.isFinal ? 'button danger' : 'button primary';
  const main = html`<div class="confirm">
    ${crumbs(asked.path, asked.here)}
    <h1>${asked.question}</h1>
    ${note(
      effects.isFinal ? 'bad' : effects.heading === null ? 'plain' : 'warn',
      effects.heading,
      html`<ul class="consequences">
        ${list}
      </ul>`,
    )}
    ${facts(asked.facts, 'boxed')} ${milder === null ? null : html`<p class="muted">${milder}</p>`}
    ${postForm(
      view,
      asked.action,
      html`${asked.fields}
        <div class="buttons">
          <button class="${style}">${button}</button><a class="button" href="${back.href}">${back.text}</a>
        </div>`,
    )}
  </div>`;
  const { beside = null } = asked;
  return {
    title: asked.question,
    main: beside === null ? main : html`<div class="page"><div class="review">${main} ${beside}</div></div>`,
  };
}
