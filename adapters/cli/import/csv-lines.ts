import { cellsOf, csvRecords, type CsvRecord } from '../input/csv-records.ts';
import { readable, readOne, type ReadLine } from '../input/json-lines.ts';
import { withoutApostrophe } from '../output/csv.ts';
import { BadLine } from '../shell/errors.ts';

/**
 * Reads CSV whose first row names the columns, each row by the name of its columns; empty lines are skipped. Reads no row
 * if `checkNames` throws `BadLine` for the columns.
 */
export async function* readCsvLines<Draft>(
  content: AsyncIterable<Uint8Array>,
  checkNames: (columns: readonly string[]) => void,
  draftOf: (row: Readonly<Record<string, string>>) => Draft,
): AsyncIterable<ReadLine<Draft>> {
  let columns: readonly string[] | null = null;
  for await (const record of csvRecords(content)) {
    if (record.text === '') continue;
    if (columns !== null) {
      const names = columns;
      yield readRecord(record, (cells) => draftOf(rowOf(names, cells)));
      continue;
    }
    const header = readRecord(record, (cells) => {
      checkNames(cells);
      return cells;
    });
    if (header.kind === 'bad') {
      yield header;
      return;
    }
    columns = header.draft;
  }
}

/** Reads the cells of a record. What is wrong with a record of several lines names the last one, too. */
function readRecord<Draft>(record: CsvRecord, read: (cells: readonly string[]) => Draft): ReadLine<Draft> {
  const { firstLine, lastLine, text, isOpen } = record;
  const result = readOne(firstLine, () => {
    if (isOpen) throw new BadLine('A quote that opens a cell must be closed.');
    return read(cellsOf(readable(text)).map(withoutApostrophe));
  });
  if (result.kind === 'draft' || firstLine === lastLine) return result;
  return { ...result, error: `${result.error} The row ends on line ${lastLine}.` };
}

function rowOf(columns: readonly string[], cells: readonly string[]): Readonly<Record<string, string>> {
  if (cells.length !== columns.length) throw new BadLine('The line must have as many cells as the first line.');
  return Object.fromEntries(columns.map((name, position) => [name, cells[position] ?? '']));
}
