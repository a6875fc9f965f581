/** One step of the schema. The SQL of a step that was released is never edited: a change is a step of its own. */
export interface Migration {
  /** The name of its file. */
  readonly name: string;
  readonly sql: string;
}
