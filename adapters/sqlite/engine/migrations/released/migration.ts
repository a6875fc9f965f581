/** One step of the schema. The SQL of a step that was released is never edited: a change is a step of its own. */
export interface Migration {
  /** Its number and what it adds. It never changes. */
  readonly name: string;
  readonly sql: string;
}
