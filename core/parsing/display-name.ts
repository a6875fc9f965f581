import { textThat } from './value-rule.ts';

/** The maximum length, in code points. */
const maxLength = 200;

/** A name for display: one line, without characters that could move the cursor of a terminal. */
export const displayNameRule = textThat(
  isDisplayName,
  `must be 1 to ${maxLength} characters, not blank and without control characters`,
);

function isDisplayName(text: string): boolean {
  return text.trim() !== '' && [...text].length <= maxLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}
