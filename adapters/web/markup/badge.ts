import { html, type Html } from './html.ts';

const ring = html`<circle cx="5" cy="5" r="3.7" />`;

/** A color and a shape for each kind of state, so that no state is a color alone. */
const looks = {
  ok: ['ok', html`<circle class="fill" cx="5" cy="5" r="4" />`],
  info: ['info', html`${ring}<path class="fill" d="M5 1.5a3.5 3.5 0 0 1 0 7z" />`],
  warn: ['warn', html`<circle cx="5" cy="5" r="4" /><path d="M5 2.8V5l1.5 1" />`],
  paused: ['warn', html`<path d="M3 1.5v7M7 1.5v7" />`],
  bad: ['bad', html`<path d="m1.8 1.8 6.4 6.4M8.2 1.8 1.8 8.2" />`],
  closed: ['', html`${ring}<path d="M3 5h4" />`],
  over: ['', ring],
  plain: ['plain', null],
} as const satisfies Readonly<Record<string, readonly [color: string, shape: Html | null]>>;

/** The meaning of a state for an operator. */
export type Tone = keyof typeof looks;

/** Shows a state as a shape, a word and a color. */
export function badge(tone: Tone, word: string): Html {
  const [color, shape] = looks[tone];
  const drawn = shape === null ? null : html`<svg viewBox="0 0 10 10" aria-hidden="true">${shape}</svg>`;
  return html`<span class="${color === '' ? 'badge' : `badge ${color}`}">${drawn}${word}</span>`;
}
