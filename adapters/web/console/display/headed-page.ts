import { html, type Html } from '../../markup/html.ts';
import type { Crumb } from './parts.ts';
import type { PageContent } from './view.ts';

/** A page without a path, such as a list. */
export interface HeadedPage {
  readonly title: string;
  /** On the line of the heading; null without it. */
  readonly beside?: Html | null;
  /** Below the heading. */
  readonly says?: string;
}

export function headedPage({ title, beside = null, says }: HeadedPage, content: Html): PageContent {
  const heading = html`<h1>${title}</h1>`;
  return {
    title,
    main: html`<div class="page">
      <div class="title">
        ${beside === null ? heading : html`<div class="line">${heading}${beside}</div>`}
        ${says === undefined ? null : html`<p>${says}</p>`}
      </div>
      ${content}
    </div>`,
  };
}

/** A link to the one thing that a page leads to. */
export function primaryLink({ href, text }: Crumb): Html {
  return html`<div class="buttons"><a class="button primary" href="${href}">${text}</a></div>`;
}
