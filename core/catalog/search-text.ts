/** Combining accents; other marks (vowel signs, voicing marks) are part of their letters. */
const accents = /[\u0300-\u036f]/g;

const maxSearchLength = 200;

/** A text in lower case. The Greek sigma has two there, one for the ends of words; they are taken for the same. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** A text as searches see it: compatibility forms, case and accents make no difference. */
export function foldText(text: string): string {
  return foldCase(text.normalize('NFKC')).normalize('NFD').replace(accents, '').normalize('NFC');
}

/** The terms of a search, each once: its first 200 code points, folded, split on white space; none when it is blank. */
export function searchTerms(search: string): readonly string[] {
  const cut = search.length <= maxSearchLength ? search : [...search].slice(0, maxSearchLength).join('');
  return wordsOf(foldText(cut));
}

/** The different words of a folded text. A term holds no white space, so it occurs in a text only within one of its words. */
export function wordsOf(folded: string): readonly string[] {
  return [...new Set(folded.split(/\s+/))].filter((word) => word !== '');
}
