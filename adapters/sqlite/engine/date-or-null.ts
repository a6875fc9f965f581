/** An instant of a row as a `Date`, or null. */
export function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
