import { englishTexts, type BuyerTexts } from '../../../adapters/web/markup/buyer-texts.ts';

/** Each text for buyers as its name and its placeholders, without a word of English. */
export const markedTexts = Object.fromEntries(
  Object.entries(englishTexts).map(([name, text]) => [
    name,
    [`«${name}»`, ...(text.match(/\{\w+\}/g) ?? [])].join(' '),
  ]),
) as BuyerTexts;

/** Names of a seller without a Latin letter. */
export const greek = { product: 'Σχέδιο', tier: 'Πλήρες', site: 'Κατάστημα', device: 'Φορητός' } as const;

/** The names of the marked texts that stand somewhere. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/«(\w+)»/g)].map(([, name = '']) => name);
}

/** The words in a document, and in what is read aloud of it, that are no marked text, code, key, address or time zone. */
export function wordsLeftIn(document: string): readonly string[] {
  const attributes =
    /(?:name="description"|property="og:(?:title|description)")\s+content="([^"]*)"|\s(?:aria-label|alt|title|placeholder)="([^"]*)"|<title>([^<]*)</g;
  const read = [...document.matchAll(attributes)].map(([, ...found]) => found.join(''));
  const seen = document
    .replace(/<head.*<\/head>/s, '')
    .replaceAll(/<(\w+)[^>]*class="(?:mono|secret[^"]*)"[^>]*>.*?<\/\1\s*>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ');
  const all = [seen, ...read].join(' ');
  const known = /«\w+»|&\w+;|https:\S+|[\w.@-]+\.example|LK-[\w-]+|\b[a-z]+(?:_\w+)+\b|\bUTC\b|\b[0-9A-Z]{4}\b/g;
  return all.replaceAll(known, '').match(/[A-Za-z]{2,}/g) ?? [];
}
