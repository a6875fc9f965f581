import { maxLineLength } from './lines.ts';

/** A record of CSV, which may span several lines. Its `text` is null if it is too long or not UTF-8. */
export interface CsvRecord {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string | null;
  /** Whether it opens a quote that the file never closes. */
  readonly isOpen: boolean;
}

type State = 'cell start' | 'unquoted' | 'quoted' | 'quote in quoted';

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Splits CSV (RFC 4180) into records without their ends. LF, CRLF and CR end a line, and a record unless they are inside
 * quotes. A quote inside an unquoted cell is part of its text.
 */
export async function* csvRecords(content: AsyncIterable<Uint8Array>): AsyncIterable<CsvRecord> {
  const splitter = new RecordSplitter();
  for await (const chunk of content) yield* splitter.split(chunk);
  yield* splitter.end();
}

class RecordSplitter {
  #state: State = 'cell start';
  #pieces: Uint8Array[] = [];
  #length = 0;
  #firstLine = 1;
  #line = 1;
  /** The position in the file, as long as it may be inside a byte order mark. */
  #position = 0;
  #previous = 0;

  *split(chunk: Uint8Array): Iterable<CsvRecord> {
    let start = 0;
    for (let end = 0; end < chunk.length; end += 1) {
      const byte = chunk[end] ?? 0;
      const isFeedOfReturn = byte === lineFeed && this.#previous === carriageReturn;
      const endsLine = isLineEnd(byte) && !isFeedOfReturn;
      this.#previous = byte;
      if (endsLine) this.#line += 1;
      if (this.#state === 'quoted' || !(endsLine || isFeedOfReturn)) {
        this.#advance(byte);
        continue;
      }
      if (endsLine) yield this.#record(chunk.subarray(start, end), this.#line - 1);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  *end(): Iterable<CsvRecord> {
    const lastLine = isLineEnd(this.#previous) ? this.#line - 1 : this.#line;
    if (this.#length > 0) yield this.#record(new Uint8Array(), lastLine);
  }

  #advance(byte: number): void {
    const isMark = this.#position < byteOrderMark.length && byte === byteOrderMark[this.#position];
    this.#position += 1;
    if (!isMark) this.#state = nextState(this.#state, byte);
  }

  #record(last: Uint8Array, lastLine: number): CsvRecord {
    this.#keep(last);
    const text = this.#length > maxLineLength ? null : decode(this.#pieces, this.#firstLine);
    const record = { firstLine: this.#firstLine, lastLine, text, isOpen: this.#state === 'quoted' };
    this.#state = 'cell start';
    this.#pieces = [];
    this.#length = 0;
    this.#firstLine = this.#line;
    return record;
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > maxLineLength) this.#pieces = [];
    else this.#pieces.push(piece);
  }
}

function isLineEnd(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

function nextState(state: State, byte: number): State {
  switch (state) {
    case 'cell start':
      if (byte === quote) return 'quoted';
      return byte === comma ? 'cell start' : 'unquoted';
    case 'unquoted':
      return byte === comma ? 'cell start' : 'unquoted';
    case 'quoted':
      return byte === quote ? 'quote in quoted' : 'quoted';
    case 'quote in quoted':
      if (byte === quote) return 'quoted';
      return byte === comma ? 'cell start' : 'unquoted';
  }
}

function decode(pieces: readonly Uint8Array[], line: number): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
    return line === 1 ? text.replace(/^\uFEFF/, '') : text;
  } catch {
    return null;
  }
}

/** The cells of a record. A cell with text behind its closing quote is read as it is, quotes included. */
export function cellsOf(record: string): readonly string[] {
  const cells: string[] = [];
  for (let start = 0; start <= record.length;) {
    const close = closingQuote(record, start);
    const next = record.indexOf(',', close ?? start);
    const end = next === -1 ? record.length : next;
    const isQuoted = close !== null && close + 1 === end;
    cells.push(isQuoted ? record.slice(start + 1, close).replaceAll('""', '"') : record.slice(start, end));
    start = end + 1;
  }
  return cells;
}

/** Where the quote is that closes a cell; null if it has none. Two quotes in a quoted cell are one of its text. */
function closingQuote(record: string, start: number): number | null {
  if (record[start] !== '"') return null;
  let at = record.indexOf('"', start + 1);
  while (at !== -1 && record[at + 1] === '"') at = record.indexOf('"', at + 2);
  return at === -1 ? null : at;
}
