import { html, type Html } from './html.ts';

/** The mark of a site without a logo, in its color. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect x=".5" y=".5" width="31" height="31" rx="8" />
  <circle cx="16" cy="12.5" r="4.5" />
  <path d="M16 17.5v8m0-3.3h4" />
</svg>`;

/** Drawings in the color of the text. Each of them repeats what a word beside it says. */
export const icons = {
  search: icon(html`<circle cx="7" cy="7" r="4.3" /> <path d="m10.3 10.3 3.2 3.2" />`),
  filters: icon(
    html`<path d="M2 5h6M11 5h3M2 11h3M8 11h6" />
      <circle cx="9.5" cy="5" r="1.5" />
      <circle cx="6.5" cy="11" r="1.5" />`,
  ),
  shop: icon(html`<path d="M2.5 6.5h11v6.5a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5zM2 6.5l1.5-4h9l1.5 4M6 13.5v-4h4v4" />`),
  leave: turningIcon(html`<path d="M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5" />`),
  unfold: turningIcon(html`<path d="m6 3.5 4.5 4.5L6 12.5" />`),
} as const;

function icon(shapes: Html): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${shapes}</svg>`;
}

/** An icon that is mirrored where text runs from right to left. */
function turningIcon(shapes: Html): Html {
  return html`<svg class="icon turns" viewBox="0 0 16 16" aria-hidden="true">${shapes}</svg>`;
}
