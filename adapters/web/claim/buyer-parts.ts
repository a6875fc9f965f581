import { helpLink, type BuyersSite } from '../buyers/parts.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import type { Words } from '../markup/words.ts';

/** The same address again. */
export function lookAgain(words: Words): Html {
  return html`<div class="buttons"><a class="button primary" href="">${words.of('lookAgain')}</a></div>`;
}

/** A text whose `{ask}` leads to help. Null where no help is known. */
export function asking(
  { words, help }: Pick<BuyersSite, 'words' | 'help'>,
  text: TextName,
  ask: TextName = 'askForHelp',
): Html | null {
  return help === null ? null : words.of(text, { ask: helpLink(words.plain(ask), help) });
}

/** The same below the rest of the page. */
export function askingAside(site: BuyersSite, text: TextName): Html | null {
  const says = asking(site, text);
  return says === null ? null : html`<p class="aside">${says}</p>`;
}
