/** Embeddings, overrides and isolates of bidirectional text (UAX #9), and the deprecated characters beside them. */
const reordering = /[\u202a-\u202e\u2066-\u206f]/g;

/** Removes the invisible characters by which a text shows another order than it has. */
export function withoutReordering(text: string): string {
  return text.replaceAll(reordering, '');
}
