import { withoutApostrophe } from '../../../core/csv-line.ts';
import { cellsOf, csvRecords, isEmptyRow } from '../input/csv-records.ts';
import { isUtf16, utf16 } from '../input/encoding.ts';
import { jsonRecords } from '../input/json-records.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { InputFile, Shell } from '../shell/shell.ts';
import type { Vendor, VendorRecord } from './record/sold.ts';
import { isRecord } from './record/values.ts';

/** A record of a file, or null for one that cannot be read. */
export interface FileRecord {
  /** The line on which it begins. */
  readonly line: number;
  readonly record: VendorRecord | null;
  readonly problem: string | null;
  /** When a webhook delivered it; null for a record of an export. */
  readonly deliveredAt: Date | null;
}

/** A file, with the name that messages have for it. */
export interface VendorFile {
  /** By `fileName`. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The name that messages have for the file at a position of several. */
export function fileName(position: number, count: number): string {
  return count === 1 ? 'The file' : `File ${position + 1}`;
}

/** Opens the file at a position of several. Throws `WrongArgument` if it cannot be read. */
export async function openVendorFile(
  path: string,
  position: number,
  count: number,
  { openFile }: Shell,
): Promise<VendorFile & InputFile> {
  const name = fileName(position, count);
  try {
    return { name, ...(await openFile(path)) };
  } catch (cause) {
    throw cause instanceof WrongArgument ? new WrongArgument(`${name} must exist and be readable.`, { cause }) : cause;
  }
}

/**
 * Reads the records of a file in memory for one of them. Throws `WrongArgument` for a file in another encoding, one that was
 * cut, and one of another form than the vendor's.
 */
export async function* recordsOf(file: VendorFile, vendor: Vendor): AsyncIterable<FileRecord> {
  const content = utf8(file);
  const first = await begin(content);
  if (first === null) throw new WrongArgument(`${file.name} is empty.`);
  const isJson = first.mark === '{' || first.mark === '[';
  if (isJson ? !vendor.isJson : vendor.columns === null) throw foreign(file, vendor);
  yield* isJson ? jsonRecordsOf(first.content, file, vendor) : rowsOf(first.content, file, vendor);
}

/** The error of a file that is not from the vendor. */
export function foreign({ name }: VendorFile, vendor: Vendor, why = ''): WrongArgument {
  return new WrongArgument(`${name} is not from ${vendor.name}${why}: it must be ${vendor.form}.`);
}

function cut({ name }: VendorFile, line: number): WrongArgument {
  return new WrongArgument(`${name} ends in the middle of line ${line}, so it was cut: export or fetch it again.`);
}

async function* jsonRecordsOf(
  content: AsyncIterable<Uint8Array>,
  file: VendorFile,
  vendor: Vendor,
): AsyncIterable<FileRecord> {
  for await (const each of jsonRecords(content)) {
    if (each.kind === 'cut') throw cut(file, each.line);
    if (each.kind === 'not JSON') throw new WrongArgument(`${file.name} is not JSON from line ${each.line} on.`);
    if (each.text === null) throw foreign(file, vendor, `, by the length of a record on line ${each.line}`);
    const { line } = each;
    const record = objectOf(each.text, line, file);
    const delivered = vendor.unpack?.(record) ?? { records: [recordIn(record)], at: null };
    for (const one of delivered.records) {
      yield { line, record: one, problem: null, deliveredAt: delivered.at };
    }
  }
}

/** The record of an answer with a single one, which is its `data`. */
function recordIn(record: VendorRecord): VendorRecord {
  const data = record['data'];
  return isRecord(data) ? data : record;
}

function objectOf(text: string, line: number, { name }: VendorFile): VendorRecord {
  try {
    return JSON.parse(text) as VendorRecord;
  } catch (cause) {
    throw new WrongArgument(`${name} is not JSON in the record on line ${line}.`, { cause });
  }
}

/** Reads rows by the names of their columns. Of columns with the same name the first counts: buyers' fields come last. */
async function* rowsOf(
  content: AsyncIterable<Uint8Array>,
  file: VendorFile,
  vendor: Vendor,
): AsyncIterable<FileRecord> {
  let columns: ReadonlyMap<string, number> | null = null;
  let width = 0;
  let shorter: number | null = null;
  for await (const row of csvRecords(content)) {
    const { firstLine: line, text, isOpen, separator } = row;
    if (isOpen) throw cut(file, line);
    if (shorter !== null) yield badRow(shorter);
    shorter = null;
    if (isEmptyRow(row)) continue;
    const cells = text === null ? null : cellsOf(text, separator).map(withoutApostrophe);
    if (columns === null) {
      columns = columnsOf(cells ?? [], file, vendor);
      width = cells?.length ?? 0;
    } else if (cells !== null && cells.length === width) {
      yield { line, record: rowOf(columns, cells), problem: null, deliveredAt: null };
    } else {
      // Only the last row can be cut.
      shorter = line;
    }
  }
  if (columns === null) throw foreign(file, vendor);
  if (shorter !== null) throw cut(file, shorter);
}

function badRow(line: number): FileRecord {
  const problem = 'The row must have as many cells as the first row, and at most 64 KiB.';
  return { line, record: null, problem, deliveredAt: null };
}

function columnsOf(names: readonly string[], file: VendorFile, vendor: Vendor): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const [position, name] of names.entries()) {
    if (!columns.has(name.trim())) columns.set(name.trim(), position);
  }
  const missing = (vendor.columns ?? []).filter((name) => !columns.has(name));
  if (missing.length > 0) throw foreign(file, vendor, `, or lacks the columns ${missing.join(', ')}`);
  return columns;
}

function rowOf(columns: ReadonlyMap<string, number>, cells: readonly string[]): VendorRecord {
  return Object.fromEntries([...columns].map(([name, position]) => [name, cells[position]]));
}

/** The first character that is no white space, and the content with it. Null for a file without one. */
async function begin(
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly mark: string; readonly content: AsyncIterable<Uint8Array> } | null> {
  const iterator = content[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    read.push(next.value);
    const [mark] = Buffer.from(next.value)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart();
    if (mark !== undefined) return { mark, content: resumed(read, iterator) };
  }
  return null;
}

async function* resumed(read: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* read;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** Passes UTF-8 on without its byte order mark. Throws `WrongArgument` for any other encoding. */
async function* utf8({ name, content }: VendorFile): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of content) {
    if (isFirst && isUtf16(chunk)) throw new WrongArgument(`${name} ${utf16}.`);
    try {
      decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new WrongArgument(`${name} is not UTF-8: save it as UTF-8.`, { cause });
    }
    const hasMark = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    yield hasMark ? chunk.subarray(3) : chunk;
    isFirst = false;
  }
  try {
    decoder.decode();
  } catch (cause) {
    throw new WrongArgument(`${name} ends in the middle of a character, so it was cut.`, { cause });
  }
}
