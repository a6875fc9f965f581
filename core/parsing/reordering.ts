/** The embeddings, overrides and isolates of bidirectional text (UAX #9), as ranges of a regular expression. */
export const bidiControls = String.raw`\u202a-\u202e\u2066-\u2069`;

/** The same, and the deprecated characters beside them. */
const reordering = new RegExp(String.raw`[${bidiControls}\u206a-\u206f]`, 'g');

/** Removes the invisible characters by which a text shows another order than it has. */
export function withoutReordering(text: string): string {
  return text.replaceAll(reordering, '');
}
