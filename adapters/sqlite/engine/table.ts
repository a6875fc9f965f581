/**
 * A table with its columns; `Table` alone is the table of any row. Statements are built from it, so that they name every
 * column and stay valid in a process that has the file open while a newer release adds a column.
 */
export interface Table<Row = never> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
}

/** Describes the table of a row type; it does not compile unless it names each column of the row. */
export function table<Row>(name: string, columns: Readonly<Record<keyof Row & string, true>>): Table<Row> {
  return { name, columns: Object.keys(columns) as (keyof Row & string)[] };
}

/** Returns `SELECT <columns> FROM <table>`. */
export function selectFrom({ name, columns }: Table): string {
  return `SELECT ${columns.join(', ')} FROM ${name}`;
}

/**
 * Returns a query for the rows that have one of several values in a column, in the order of another one. It takes the
 * parameters `@v0`, `@v1` and so on, and `@limit`. With an index of both columns it reads no more than it returns, which
 * `IN` would.
 */
export function selectMerged(
  select: string,
  { column, count, condition, order }: { column: string; count: number; condition: string; order: string },
): string {
  const parts = Array.from({ length: count }, (_, index) => `${select} WHERE ${column} = @v${index} AND ${condition}`);
  return `${parts.join(' UNION ALL ')} ORDER BY ${order} LIMIT @limit`;
}

/** Returns the parameters of such a query for the values. */
export function mergedValues(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value, index) => [`v${index}`, value]));
}

/** Returns an `INSERT`, or an `INSERT OR REPLACE`, that takes a row as its parameters. */
export function insertInto({ name, columns }: Table, verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT'): string {
  const parameters = columns.map((column) => `@${column}`);
  return `${verb} INTO ${name} (${columns.join(', ')}) VALUES (${parameters.join(', ')})`;
}

/**
 * Returns the same, but takes the values of `valuesOf`. It is for the tables that requests write to: a value that is bound
 * by its position costs a third of one that is bound by name.
 */
export function insertValuesInto({ name, columns }: Table, verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT'): string {
  return `${verb} INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

/** Returns the values of a row in the order of the columns. */
export function valuesOf<Row>({ columns }: Table<Row>, row: Row): readonly unknown[] {
  return columns.map((column) => row[column]);
}

/** Returns an `UPDATE` that sets every column from a row as its parameters. The condition follows. */
export function updateOf({ name, columns }: Table): string {
  return `UPDATE ${name} SET ${columns.map((column) => `${column} = @${column}`).join(', ')}`;
}

/** Maps a row, or returns null where no row was found. */
export function mapOrNull<Row, T>(row: Row | undefined, map: (row: Row) => T): T | null {
  return row === undefined ? null : map(row);
}

/** Returns the instant of a nullable column. */
export function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
