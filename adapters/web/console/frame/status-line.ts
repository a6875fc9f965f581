import { html, type Html } from '../../markup/html.ts';
import { icon } from '../../markup/icons.ts';

/** What a page can say about the change that led to it, by the name in its address. Addresses hold no other text. */
export type DoneTexts = Readonly<Record<string, string>>;

/** Says what was done, on the page that a change leads to; null on every other. */
export function statusLine(query: string, texts: DoneTexts): Html | null {
  const done = new URLSearchParams(query).get('done') ?? '';
  const text = Object.hasOwn(texts, done) ? texts[done] : undefined;
  if (text === undefined) return null;
  return html`<div class="note ok" role="status">
    ${icon('done')}
    <div><strong>${text}</strong></div>
  </div>`;
}
