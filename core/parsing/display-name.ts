import { textThat } from './value-rule.ts';

/** In code points. */
const maxLength = 200;

/** A name that people are shown: one line, and nothing in it that could move a terminal's cursor. */
export const displayNameRule = textThat(
  isDisplayName,
  `must be 1 to ${maxLength} characters, not blank and without control characters`,
);

function isDisplayName(text: string): boolean {
  return text.trim() !== '' && [...text].length <= maxLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}
