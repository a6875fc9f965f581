import { ReadBatch } from './read-batcher.ts';
import type { Connection } from './database.ts';
import { UseNotes } from '../access/last-used-buffer.ts';
import { WriteGroup } from './write-batcher.ts';

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
