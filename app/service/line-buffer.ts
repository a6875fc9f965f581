/** Milliseconds that a line waits at most. */
const maxWait = 100;

/**
 * Collects lines and passes them on in pieces of at most `pieceSize` bytes, unless one line is longer: after 100 ms at the
 * latest, and when the process ends. Each piece wakes another thread, which costs as much as many lines; sonic-boom could
 * collect them as well, but measures all that it has collected again for each line.
 */
export class LineBuffer {
  readonly #pieceSize: number;
  #lines = '';
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #pass: (piece: string) => void;
  readonly #flush = (): void => this.flush();

  constructor(pieceSize: number, pass: (piece: string) => void) {
    this.#pieceSize = pieceSize;
    this.#pass = pass;
    process.prependListener('beforeExit', this.#flush).prependListener('exit', this.#flush);
  }

  write(line: string): void {
    const size = Buffer.byteLength(line);
    if (this.#size + size > this.#pieceSize) this.flush();
    this.#lines += line;
    this.#size += size;
    this.#timer ??= setTimeout(this.#flush, maxWait).unref();
  }

  /** Passes on the lines that it has collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines === '') return;
    const piece = this.#lines;
    this.#lines = '';
    this.#size = 0;
    this.#pass(piece);
  }

  /** Flushes, and takes no more lines. */
  end(): void {
    this.flush();
    process.off('beforeExit', this.#flush).off('exit', this.#flush);
  }
}
