import { withoutUtf16 } from './encoding.ts';
import { maxLineLength } from './lines.ts';

/** A separator of cells: spreadsheets write semicolons where a comma is the decimal mark, and tabs when they copy. */
export type Separator = ',' | ';' | '\t';

/** A record of CSV, which may span several lines. Its `text` is null if it is too long or not UTF-8. */
export interface CsvRecord {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string | null;
  /** Whether it opens a quote that the file never closes. */
  readonly isOpen: boolean;
  /** That of the whole file. */
  readonly separator: Separator;
}

type State = 'cell start' | 'unquoted' | 'quoted' | 'quote in quoted';

const quote = 0x22;
const separators: ReadonlyMap<number, Separator> = new Map([
  [0x2c, ','],
  [0x3b, ';'],
  [0x09, '\t'],
]);

/** The line before the first row with which spreadsheets name the separator. */
const separatorLine = /^"?sep=(?<separator>[,;\t])"?$/i;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Splits CSV (RFC 4180) into records without their ends. LF, CRLF and CR end a line, and a record unless they are inside
 * quotes. A quote inside an unquoted cell is part of its text. The separator is the one that the first line has most of;
 * a line that only names it is empty. Throws `WrongArgument` for UTF-16.
 */
export async function* csvRecords(content: AsyncIterable<Uint8Array>): AsyncIterable<CsvRecord> {
  const splitter = new RecordSplitter();
  for await (const chunk of withoutUtf16(content)) yield* splitter.split(chunk);
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
  /** The number of each in the first line, not counting those inside quotes; null behind that line. */
  #counts: Record<Separator, number> | null = { ',': 0, ';': 0, '\t': 0 };
  #separator: Separator = ',';

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
    if (isMark) return;
    const separator = separators.get(byte);
    const separates = separator !== undefined && (this.#counts !== null || separator === this.#separator);
    if (separates && this.#counts !== null && this.#state !== 'quoted') this.#counts[separator] += 1;
    this.#state = nextState(this.#state, byte, separates);
  }

  #record(last: Uint8Array, lastLine: number): CsvRecord {
    this.#keep(last);
    const whole = this.#length > maxLineLength ? null : decode(this.#pieces, this.#firstLine);
    const isFirst = this.#counts !== null && whole !== '';
    const named = isFirst ? separatorLine.exec(whole ?? '')?.groups?.['separator'] : undefined;
    if (isFirst) this.#decideSeparator(named);
    const text = named === undefined ? whole : '';
    const record = {
      firstLine: this.#firstLine,
      lastLine,
      text,
      isOpen: this.#state === 'quoted',
      separator: this.#separator,
    };
    this.#state = 'cell start';
    this.#pieces = [];
    this.#length = 0;
    this.#firstLine = this.#line;
    return record;
  }

  /** Decides for the separator that the first line names, or has most of. */
  #decideSeparator(named: string | undefined): void {
    const counts = this.#counts ?? { ',': 0, ';': 0, '\t': 0 };
    for (const each of separators.values()) {
      if (named === undefined ? counts[each] > counts[this.#separator] : each === named) this.#separator = each;
    }
    this.#counts = null;
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

function nextState(state: State, byte: number, separates: boolean): State {
  switch (state) {
    case 'cell start':
      if (byte === quote) return 'quoted';
      return separates ? 'cell start' : 'unquoted';
    case 'unquoted':
      return separates ? 'cell start' : 'unquoted';
    case 'quoted':
      return byte === quote ? 'quote in quoted' : 'quoted';
    case 'quote in quoted':
      if (byte === quote) return 'quoted';
      return separates ? 'cell start' : 'unquoted';
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
export function cellsOf(record: string, separator: Separator): readonly string[] {
  const cells: string[] = [];
  for (let start = 0; start <= record.length;) {
    const close = closingQuote(record, start);
    const next = record.indexOf(separator, close ?? start);
    const end = next === -1 ? record.length : next;
    const isQuoted = close !== null && close + 1 === end;
    cells.push(isQuoted ? record.slice(start + 1, close).replaceAll('""', '"') : record.slice(start, end));
    start = end + 1;
  }
  return cells;
}

/** Matches a character that a row of empty cells cannot have. */
const something = /[^\s\p{Cf}",;]/u;

/** Reports whether a record is an empty line, or holds nothing: spreadsheets write emptied rows as empty cells. */
export function isEmptyRow({ text, isOpen, separator }: CsvRecord): boolean {
  if (text === null || isOpen || something.test(text)) return false;
  return cellsOf(text, separator).every(isBlank);
}

/** Reports whether a cell holds nothing that anybody sees. */
export function isBlank(cell: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(cell);
}

/** Where the quote is that closes a cell; null if it has none. Two quotes in a quoted cell are one of its text. */
function closingQuote(record: string, start: number): number | null {
  if (record[start] !== '"') return null;
  let at = record.indexOf('"', start + 1);
  while (at !== -1 && record[at + 1] === '"') at = record.indexOf('"', at + 2);
  return at === -1 ? null : at;
}
