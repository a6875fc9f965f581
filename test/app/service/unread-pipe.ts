import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { withUtilities } from '../../support/processes/utilities.ts';

/** A named pipe that is open, and that nobody reads until `read` is called. */
export class UnreadPipe {
  /** To be given to a process, which blocks while it writes. */
  readonly fd: number;
  readonly #path: string;
  #reader: Socket | null = null;

  constructor(path: string) {
    execFileSync('mkfifo', [path], { env: withUtilities(process.env) });
    this.#path = path;
    this.fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  }

  /** Writes empty lines until there is no room for another. */
  fill(): void {
    const fd = openSync(this.#path, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      for (;;) writeSync(fd, '\n');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    } finally {
      closeSync(fd);
    }
  }

  /** Reads it from now on. */
  read(): void {
    const fd = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.#reader = new Socket({ fd, readable: true, writable: false }).resume();
  }

  close(): void {
    this.#reader?.destroy();
    closeSync(this.fd);
  }
}
