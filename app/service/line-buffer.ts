/** Characters of a piece. */
const pieceLength = 64 * 1024;

/** Milliseconds that a line waits at most. */
const maxWait = 100;

/**
 * Collects lines and passes them on in pieces: after 100 ms at the latest, and when the process ends. Each piece wakes
 * another thread, which costs as much as many lines; sonic-boom could collect them as well, but measures all that it has
 * collected again for each line.
 */
export class LineBuffer {
  #lines = '';
  #timer: NodeJS.Timeout | undefined;
  readonly #pass: (piece: string) => void;
  readonly #flush = (): void => this.flush();

  constructor(pass: (piece: string) => void) {
    this.#pass = pass;
    process.prependListener('beforeExit', this.#flush).prependListener('exit', this.#flush);
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= pieceLength) this.flush();
    else this.#timer ??= setTimeout(this.#flush, maxWait).unref();
  }

  /** Passes on what it has collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines === '') return;
    const piece = this.#lines;
    this.#lines = '';
    this.#pass(piece);
  }

  /** Flushes, and takes no more lines. */
  end(): void {
    this.flush();
    process.off('beforeExit', this.#flush).off('exit', this.#flush);
  }
}
