import { ReadBatch } from './read-batch.ts';
import type { Connection } from './sqlite-database.ts';
import { UseNotes } from './use-notes.ts';
import { WriteGroup } from './write-group.ts';

/** One open store file and the ways to it. */
export class SqliteStore {
  readonly connection: Connection;
  readonly reads: ReadBatch;
  readonly writes: WriteGroup;
  readonly uses: UseNotes;

  constructor(connection: Connection) {
    this.connection = connection;
    this.reads = new ReadBatch(connection);
    this.writes = new WriteGroup(connection);
    this.uses = new UseNotes(connection, this.writes);
  }

  /** Closes the file. Nothing may be under way any more. */
  async close(): Promise<void> {
    await this.uses.flush();
    this.connection.close();
  }
}
