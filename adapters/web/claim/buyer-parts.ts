import { helpLink } from '../buyers/parts.ts';
import { html, type Html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';

/** A page for a buyer, from its heading on. */
export function buyerPage(title: string, content: Html): Page {
  return {
    title,
    description: 'What was bought, for its buyer.',
    canonical: null,
    isForBuyers: true,
    main: html`<div class="wrap"><div class="buyer">${content}</div></div>`,
  };
}

/** The same address again. */
export const lookAgain: Html = html`<div class="buttons"><a class="button primary" href="">Look again</a></div>`;

/** A question that leads to help, and what follows the link. Nothing where no help is known. */
export function helpAside(question: string, url: string | null, more: string): Html | null {
  return url === null ? null : html`<p class="aside">${question} ${helpLink('Ask for help', url)}${more}.</p>`;
}
