import { html, type Html } from './html.ts';

/** The mark of a site without a logo, in its color. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect x=".5" y=".5" width="31" height="31" rx="8" />
  <circle cx="16" cy="12.5" r="4.5" />
  <path d="M16 17.5v8m0-3.3h4" />
</svg>`;

const shapes = {
  add: html`<path d="M8 3v10M3 8h10" />`,
  alert: html`<circle cx="8" cy="8" r="5.8" /> <path d="M8 5v3.5M8 10.9v.1" />`,
  away: html`<path d="M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5" />`,
  card: html`<rect x="2" y="3.5" width="12" height="9" rx="1.2" /> <path d="M2 6.5h12M4.5 10h2.5" />`,
  clock: html`<circle cx="8" cy="8" r="5.8" /> <path d="M8 4.8V8l2.2 1.5" />`,
  cross: html`<path d="m4 4 8 8M12 4l-8 8" />`,
  device: html`<rect x="2" y="3" width="12" height="7.5" rx="1" /> <path d="M6 13.5h4M8 10.5v3" />`,
  done: html`<path d="m3.5 8.5 3 3 6-7" />`,
  events: html`<path d="M1.5 8h3l2-5 3 10 2-5h3" />`,
  filter: html`<path d="M2 5h6M11 5h3M2 11h3M8 11h6" />
    <circle cx="9.5" cy="5" r="1.5" />
    <circle cx="6.5" cy="11" r="1.5" />`,
  key: html`<circle cx="5.5" cy="10.5" r="3" /> <path d="m7.7 8.3 5.3-5.3M10.5 5.5l2 2" />`,
  listings: html`<path d="M2.5 6.5h11v6.5a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5zM2 6.5l1.5-4h9l1.5 4M6 13.5v-4h4v4" />`,
  mail: html`<rect x="2" y="3.5" width="12" height="9" rx="1" /> <path d="m2.5 4.5 5.5 4 5.5-4" />`,
  next: html`<path d="m6 3.5 4.5 4.5L6 12.5" />`,
  overview: html`<path d="M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5z" /> <path d="M6.5 13.5V9.5h3v4" />`,
  pause: html`<path d="M5.5 3.5v9M10.5 3.5v9" />`,
  person: html`<circle cx="8" cy="5.2" r="2.7" /> <path d="M2.8 13.5c.6-2.6 2.6-4 5.2-4s4.6 1.4 5.2 4" />`,
  product: html`<path d="m8 1.8 5.5 3v6.4L8 14.2l-5.5-3V4.8z" /> <path d="m2.7 5 5.3 2.9L13.3 5M8 8v6" />`,
  renewed: html`<path d="M13 8a5 5 0 1 1-1.6-3.7M13.3 2v3h-3" />`,
  search: html`<circle cx="7" cy="7" r="4.3" /> <path d="m10.3 10.3 3.2 3.2" />`,
  up: html`<path d="M8 13V3.5M4 7l4-4 4 4" />`,
  warning: html`<path d="M8 2.2 14.2 13H1.8z" /> <path d="M8 6.5v3M8 11.3v.1" />`,
  webhook: html`<circle cx="8" cy="4" r="2" />
    <circle cx="3.8" cy="11.5" r="2" />
    <circle cx="12.2" cy="11.5" r="2" />
    <path d="m7 5.8-2.2 3.9M9 5.8l2.2 3.9M5.8 11.5h4.4" />`,
} satisfies Readonly<Record<string, Html>>;

export type Icon = keyof typeof shapes;

/** Icons that point along the line of text, and turn with its direction. */
const turning: ReadonlySet<Icon> = new Set<Icon>(['away', 'next']);

/** Draws an icon in the color of the text, or of a tone. A word beside it says the same. */
export function icon(name: Icon, tone = ''): Html {
  const style = `icon${turning.has(name) ? ' turns' : ''}${tone === '' ? '' : ` ${tone}`}`;
  return html`<svg class="${style}" viewBox="0 0 16 16" aria-hidden="true">${shapes[name]}</svg>`;
}
