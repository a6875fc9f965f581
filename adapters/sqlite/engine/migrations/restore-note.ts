/** At most one row: when the store was restored. A restore makes it in a backup of any schema, for the server that upgrades it. */
export const restoreNoteTable = `
  CREATE TABLE IF NOT EXISTS restore_note (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT;
  `;
