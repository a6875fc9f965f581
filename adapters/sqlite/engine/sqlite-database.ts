import { ReadBatcher } from './read-batcher.ts';
import type { Connection } from './connection.ts';
import { LastUsedBuffer } from '../access/last-used-buffer.ts';
import { WriteBatcher } from './write-batcher.ts';

/** One open store file and the ways to it. */
export class SqliteStore {
  readonly connection: Connection;
  readonly reads: ReadBatcher;
  readonly writes: WriteBatcher;
  readonly uses: LastUsedBuffer;

  constructor(connection: Connection) {
    this.connection = connection;
    this.reads = new ReadBatcher(connection);
    this.writes = new WriteBatcher(connection);
    this.uses = new LastUsedBuffer(connection, this.writes);
  }

  /** Closes the file. Nothing may be under way any more. */
  async close(): Promise<void> {
    await this.uses.flush();
    this.connection.close();
  }
}
