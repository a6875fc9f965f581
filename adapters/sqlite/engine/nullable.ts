/** Maps a row, or returns null where no row was found. */
export function mapOrNull<Row, T>(row: Row | undefined, map: (row: Row) => T): T | null {
  return row === undefined ? null : map(row);
}

/** Returns the instant of a nullable column. */
export function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
