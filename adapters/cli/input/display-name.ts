/** The longest, in characters. */
export const maxNameLength = 200;

/** Whether people can be shown a text as a name: not blank, one line, and nothing in it that could move a terminal's cursor. */
export function isDisplayName(text: string): boolean {
  return text.trim() !== '' && [...text].length <= maxNameLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}
