import { html, type Html } from '../../markup/html.ts';

/** What a state means for an operator. Each has a shape of its own, so that no state is a color alone. */
export type Tone = 'ok' | 'info' | 'warn' | 'bad' | 'plain';

const shapes: Readonly<Record<Tone, Html | null>> = {
  ok: html`<circle class="fill" cx="5" cy="5" r="4" />`,
  info: html`<circle cx="5" cy="5" r="3.7" /> <path class="fill" d="M5 1.5a3.5 3.5 0 0 1 0 7z" />`,
  warn: html`<circle cx="5" cy="5" r="4" /> <path d="M5 2.8V5l1.5 1" />`,
  bad: html`<path d="m1.8 1.8 6.4 6.4M8.2 1.8 1.8 8.2" />`,
  plain: null,
};

/** Shows a state as a shape, a word and a color. */
export function badge(tone: Tone, word: string): Html {
  const shape = shapes[tone];
  const drawn = shape === null ? null : html`<svg viewBox="0 0 10 10" aria-hidden="true">${shape}</svg>`;
  return html`<span class="badge ${tone}">${drawn}${word}</span>`;
}
