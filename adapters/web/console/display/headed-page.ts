import { html, type Html } from '../../markup/html.ts';
import type { Crumb } from './parts.ts';
import type { PageContent } from './view.ts';

/** A page without a path, such as a list. */
export interface HeadedPage {
  readonly title: string;
  /** The number beside the heading; null if it is not counted. */
  readonly number?: string | null;
  /** On the line of the heading; null without it. */
  readonly beside?: Html | null;
  /** Below the heading. */
  readonly says?: string;
  /** The same where it is the answer to a question. */
  readonly answer?: string;
}

export function headedPage(
  { title, number = null, beside = null, says, answer }: HeadedPage,
  content: Html,
): PageContent {
  const heading = html`<h1>${title}${number === null ? null : html` <span class="num">${number}</span>`}</h1>`;
  return {
    title,
    main: html`<div class="page">
      <div class="title">
        ${beside === null ? heading : html`<div class="line">${heading}${beside}</div>`}
        ${says === undefined ? null : html`<p>${says}</p>`}
        ${answer === undefined ? null : html`<p class="says">${answer}</p>`}
      </div>
      ${content}
    </div>`,
  };
}

/** A link to the one thing that a page leads to. */
export function primaryLink({ href, text }: Crumb): Html {
  return html`<div class="buttons"><a class="button primary" href="${href}">${text}</a></div>`;
}
