import { closest } from 'fastest-levenshtein';
import { englishTexts, type BuyerTexts, type TextName } from '../../adapters/web/markup/buyer-texts.ts';

/** The texts of earlier releases that no page has any more. A file may have them, so that it lasts over an upgrade. */
const formerNames: ReadonlySet<string> = new Set([
  'causePayment',
  'getLinkByMail',
  'ifNot',
  'manage',
  'manageAccount',
  'manageAccountOrMail',
  'manageMail',
  'offline',
]);

/** Reads the texts that differ from the English ones, with one message for each mistake. `source` is where they are from. */
export function readSiteTexts(content: unknown, source: string): { texts: BuyerTexts; mistakes: readonly string[] } {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return { texts: englishTexts, mistakes: [`${source} must contain one JSON object.`] };
  }
  const given = Object.entries(content).filter(([name]) => !formerNames.has(name));
  const mistakes = given.flatMap(([name, text]: readonly [string, unknown]) =>
    mistakesIn(name, text).map((mistake) => `${name} (${source}) ${mistake}`),
  );
  return { texts: { ...englishTexts, ...Object.fromEntries(given) }, mistakes };
}

function mistakesIn(name: string, text: unknown): readonly string[] {
  if (!isTextName(name)) {
    return [`is not a text; did you mean ${closest(name, Object.keys(englishTexts))}? texts print prints all.`];
  }
  if (typeof text !== 'string' || text.trim() === '' || /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)) {
    return ['must be a text of one line that is not blank.'];
  }
  const known = placeholdersIn(englishTexts[name]);
  const given = placeholdersIn(text);
  return [
    ...known.filter((each) => !given.includes(each)).map((each) => `must have the placeholder ${each}.`),
    ...given
      .filter((each) => !known.includes(each))
      .map((each) => `has ${each}, which is not one of its placeholders.`),
  ];
}

function isTextName(name: string): name is TextName {
  return Object.hasOwn(englishTexts, name);
}

/** The placeholders of a text, such as `{date}`, and the braces that begin or end none, each once. */
function placeholdersIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{[^{}]*\}|[{}]/g))];
}
