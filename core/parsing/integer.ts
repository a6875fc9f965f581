/** Bounds of an integer, both included. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The integer that a text spells, brought within bounds; null if it spells none. */
export function boundedInteger(text: string | null, { min, max }: Bounds): number | null {
  return /^-?[0-9]+$/.test(text ?? '') ? Math.min(Math.max(Number(text), min), max) : null;
}
