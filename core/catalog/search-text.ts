/** Combining accents. Other marks, such as vowel signs and voicing marks, are part of their letters. */
const accents = /[\u0300-\u036f]/g;

const maxSearchLength = 200;

/** Folds the case of a text. Sigma has two lower-case forms, one for the ends of words; both become the same. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

const notAscii = /[\u0080-\uffff]/;

/** Folds a text for searching: compatibility forms, case and accents make no difference. */
export function foldText(text: string): string {
  // Most texts are ASCII, which has upper case only to fold; the whole takes ten times as long.
  if (!notAscii.test(text)) return text.toLowerCase();
  return foldCase(text.normalize('NFKC')).normalize('NFD').replace(accents, '').normalize('NFC');
}

/** Splits the first 200 code points of a search into its distinct folded terms. A blank search has none. */
export function searchTerms(search: string): readonly string[] {
  const cut = search.length <= maxSearchLength ? search : [...search].slice(0, maxSearchLength).join('');
  return wordsOf(foldText(cut));
}

/** Splits a folded text into its distinct words. A term has no white space, so it occurs only inside single words. */
export function wordsOf(folded: string): readonly string[] {
  return [...new Set(folded.split(/\s+/))].filter((word) => word !== '');
}
