import { Readable } from 'node:stream';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { cellsOf, csvRecords, type CsvRecord } from '../../../../adapters/cli/input/csv-records.ts';
import { csvLine, withoutApostrophe } from '../../../../core/csv-line.ts';

/** Reads a text in chunks that end at these positions. */
async function recordsOf(text: string, ...ends: readonly number[]): Promise<readonly CsvRecord[]> {
  const bytes = Buffer.from(text);
  const starts = [0, ...ends.toSorted((a, b) => a - b)];
  const chunks = starts.map((start, position) => bytes.subarray(start, starts[position + 1]));
  return Array.fromAsync(csvRecords(Readable.from(chunks)));
}

async function cellsIn(text: string, ...ends: readonly number[]): Promise<readonly (readonly string[])[]> {
  return (await recordsOf(text, ...ends)).map((record) => cellsOf(record.text ?? ''));
}

const anyText = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\r', '\n', "'", '=', '-', '\t', 'é', '🚀', '\uFEFF', '\uFFFD'),
});

describe('CSV', () => {
  it('has the same cells when it is read as when it was written, in chunks of any size', async () => {
    const rows = fc.array(fc.array(anyText, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.array(fc.nat(60), { maxLength: 4 }), async (written, ends) => {
        const [, ...read] = await cellsIn([['header'], ...written].map(csvLine).join(''), ...ends);
        expect(read.map((cells) => cells.map(withoutApostrophe))).to.deep.equal(written);
      }),
    );
  });

  it('has the same records whichever way its lines end', async () => {
    const lines = ['a,b', 'c,"d ""e"""', 'f,'];
    for (const end of ['\n', '\r\n', '\r']) {
      for (const last of ['', end]) {
        const text = lines.join(end) + last;
        for (const position of Array.from(text, (_, index) => index)) {
          const records = await recordsOf(text, position);
          expect(records.map((record) => [record.firstLine, record.lastLine, record.text])).to.deep.equal([
            [1, 1, 'a,b'],
            [2, 2, 'c,"d ""e"""'],
            [3, 3, 'f,'],
          ]);
        }
      }
    }
    expect(lines.map(cellsOf)).to.deep.equal([
      ['a', 'b'],
      ['c', 'd "e"'],
      ['f', ''],
    ]);
  });

  it('counts the lines inside quotes', async () => {
    const records = await recordsOf('"a\r\nb\nc\rd",1\r\n\r\n"\n"\nlast');
    expect(records.map(({ firstLine, lastLine }) => [firstLine, lastLine])).to.deep.equal([
      [1, 4],
      [5, 5],
      [6, 7],
      [8, 8],
    ]);
  });

  it('may begin with a byte order mark, also before a quote', async () => {
    expect(await cellsIn('\uFEFF"a,b",c\n\uFEFFd,e', 1)).to.deep.equal([
      ['a,b', 'c'],
      ['\uFEFFd', 'e'],
    ]);
  });

  it('keeps quotes that do not enclose a cell', () => {
    expect(['a "b" c,d', '"Five" times,x', '"a" "b",', '""', '"",""'].map(cellsOf)).to.deep.equal([
      ['a "b" c', 'd'],
      ['"Five" times', 'x'],
      ['"a" "b"', ''],
      [''],
      ['', ''],
    ]);
  });

  it('has a last record that is open if a quote is never closed', async () => {
    const records = await recordsOf('a,b\n"c,d\ne,f\n');
    expect(records.map(({ firstLine, lastLine, isOpen }) => [firstLine, lastLine, isOpen])).to.deep.equal([
      [1, 1, false],
      [2, 3, true],
    ]);
  });

  it('has no text for a record of more than 64 KiB or with bytes that are not UTF-8', async () => {
    const texts = await Array.fromAsync(
      csvRecords(
        Readable.from([
          Buffer.from(`${'x'.repeat(65_536)}\n`),
          Buffer.from('y'.repeat(65_537)),
          Buffer.from([0x0a, 0xff]),
        ]),
      ),
      ({ text }) => text?.length ?? null,
    );
    expect(texts).to.deep.equal([65_536, null, null]);
  });
});
