/** A record of a JSON text, or why there is no further one. */
export type JsonRecord =
  /** The text is null if it is too long. */
  | { readonly kind: 'record'; readonly line: number; readonly text: string | null }
  /** The text ends inside a value. */
  | { readonly kind: 'cut'; readonly line: number }
  /** The text is not JSON from this line on. */
  | { readonly kind: 'not JSON'; readonly line: number };

/** In bytes: a page of a hundred records, if it has no list of its own, fits in. */
const maxRecordLength = 1_048_576;

const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The members of a page that hold its records, in an array. A subscription of Stripe has an object as its `items`. */
const listMembers: ReadonlySet<string> = new Set(['data', 'items']);

const [quote, backslash, comma, colon, lineFeed] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
const space = 0x20;

/**
 * Splits UTF-8 JSON into its records, in memory for one of them: the objects of an array, those in the array `data` or
 * `items` of a page, and objects that are no page. Several values may follow each other, as pages in one file or as lines do.
 */
export async function* jsonRecords(content: AsyncIterable<Uint8Array>): AsyncIterable<JsonRecord> {
  const splitter = new RecordSplitter();
  for await (const chunk of content) {
    yield* splitter.split(chunk);
    if (splitter.isBroken) return;
  }
  yield* splitter.end();
}

class RecordSplitter {
  isBroken = false;
  readonly #open: number[] = [];
  #inString = false;
  #isEscaped = false;
  /** The last text directly inside the outermost object, which names a member if a colon follows. */
  #text = '';
  #member = '';
  #line = 1;
  /** The depth at which the record that is kept was opened; null outside of records. */
  #depth: number | null = null;
  #recordLine = 1;
  #pieces: Uint8Array[] = [];
  #length = 0;

  *split(chunk: Uint8Array): Iterable<JsonRecord> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === lineFeed) this.#line += 1;
      if (this.#inString) {
        this.#advanceString(byte);
        continue;
      }
      if (byte <= space || byte === comma) continue;
      if (byte === openObject || byte === openArray) {
        if (this.#begins(byte)) start = at;
        this.#open.push(byte);
      } else if (byte === closeObject || byte === closeArray) {
        if (this.#open.pop() !== (byte === closeObject ? openObject : openArray)) return yield this.#broken();
        if (this.#open.length === this.#depth) yield this.#record(chunk.subarray(start, at + 1));
      } else if (this.#open.length === 0) {
        return yield this.#broken();
      } else if (byte === quote) {
        this.#inString = true;
        this.#text = '';
      } else if (byte === colon && this.#open.length === 1) {
        this.#member = this.#text;
      }
    }
    if (this.#depth !== null) this.#keep(chunk.subarray(start));
  }

  *end(): Iterable<JsonRecord> {
    if (this.#open.length > 0) yield { kind: 'cut', line: this.#line };
  }

  #advanceString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#inString = false;
    else if (this.#open.length === 1 && this.#text.length < 8) this.#text += String.fromCharCode(byte);
  }

  /** Whether a record begins with this opening bracket. What was kept of its page is dropped. */
  #begins(bracket: number): boolean {
    const [outer, inner] = this.#open;
    const depth = this.#open.length;
    const isInList = outer === openObject && (inner ?? bracket) === openArray && listMembers.has(this.#member);
    const isPage = depth === 1 && isInList && this.#depth === 0;
    if (isPage) this.#drop();
    if (bracket === openArray || this.#depth !== null) return false;
    if (depth === 0) this.#member = '';
    const isRecord = depth === 0 || (depth === 1 && outer === openArray) || (depth === 2 && isInList);
    if (!isRecord) return false;
    this.#depth = depth;
    this.#recordLine = this.#line;
    return true;
  }

  #record(last: Uint8Array): JsonRecord {
    this.#keep(last);
    const text = this.#length > maxRecordLength ? null : Buffer.concat(this.#pieces).toString('utf8');
    this.#drop();
    return { kind: 'record', line: this.#recordLine, text };
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > maxRecordLength) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #drop(): void {
    this.#depth = null;
    this.#pieces = [];
    this.#length = 0;
  }

  #broken(): JsonRecord {
    this.isBroken = true;
    return { kind: 'not JSON', line: this.#line };
  }
}
