/** The longest, in characters. */
export const longestName = 200;

/** Whether people can be shown a text as a name: not blank, one line, and nothing in it that could move a terminal's cursor. */
export function isNameForPeople(text: string): boolean {
  return text.trim() !== '' && [...text].length <= longestName && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}
