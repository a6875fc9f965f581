/** Combining accents. Other marks, such as vowel signs and voicing marks, are part of their letters. */
const accents = /[\u0300-\u036f]/g;

/**
 * The letters that each text stands for: lower-case Latin letters that have no decomposition in Unicode, as people write
 * them who do not have them on their keyboard. Most are those of the transliteration Latin-ASCII of Unicode's CLDR.
 */
const lettersOf: Readonly<Record<string, string>> = {
  a: 'ⱥᶏ',
  aa: 'ꜳ',
  ae: 'æᴁ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀɓƃᵬᶀ',
  c: 'ȼƈɕꜿ',
  d: 'đðɖɗƌȡᵭᶁᶑ',
  db: 'ȸ',
  dz: 'ʣ',
  e: 'əǝɛɇɘɜᶒⱸ',
  f: 'ƒᵮᶂ',
  g: 'ǥɠɡɣᶃ',
  h: 'ħɦɧⱨ',
  hv: 'ƕ',
  i: 'ıɨɩɪᵻᶖ',
  j: 'ȷɉʝɟ',
  k: 'ƙⱪᶄꝁꝃꝅ',
  l: 'łƚⱡɫɬɭƛȴᶅꝉ',
  ll: 'ỻ',
  m: 'ɱᵯᶆ',
  n: 'ŋɲƞɳȵᵰᶇ',
  o: 'øɵɔⱺꝋꝍ',
  oe: 'œɶ',
  oi: 'ƣ',
  oo: 'ꝏ',
  p: 'ƥᵽᵱᶈꝑꝓꝕ',
  q: 'ĸʠɋꝗꝙ',
  qp: 'ȹ',
  r: 'ɍɽɼɾɹɻᵲᵳᶉꝛ',
  s: 'ʂȿʃᵴᶊẜẝ',
  ss: 'ß',
  t: 'ŧƫƭʈⱦȶᵵ',
  th: 'þꝥꝧ',
  ts: 'ʦ',
  u: 'ʉʊᵾᶙ',
  v: 'ʋʌⱱⱴỽᶌ',
  vy: 'ꝡ',
  w: 'ⱳ',
  x: 'ᶍ',
  y: 'ƴɏỿ',
  z: 'ƶȥɀʐʑʒⱬᵶᶎ',
};

const written: ReadonlyMap<string, string> = new Map(
  Object.entries(lettersOf).flatMap(([text, letters]) => [...letters].map((letter) => [letter, text])),
);
const undecomposed = new RegExp(`[${[...written.keys()].join('')}]`, 'g');

const maxSearchLength = 200;

/** Folds the case of a text. Sigma has two lower-case forms, one for the ends of words; both become the same. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

const notAscii = /[\u0080-\uffff]/;

/** Folds a text for searching: compatibility forms, case and accents make no difference, nor do letters such as ł and ß. */
export function foldText(text: string): string {
  // Most texts are ASCII, which has upper case only to fold; the whole takes ten times as long.
  if (!notAscii.test(text)) return text.toLowerCase();
  const bare = foldCase(text.normalize('NFKC')).normalize('NFD').replace(accents, '');
  return bare.replace(undecomposed, (letter) => written.get(letter) ?? letter).normalize('NFC');
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
