import { Readable } from 'node:stream';
import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  cellsOf,
  csvRecords,
  isEmptyRow,
  type CsvRecord,
  type Separator,
} from '../../../../adapters/cli/input/csv-records.ts';
import { csvLine, withoutApostrophe } from '../../../../core/csv-line.ts';

/** Reads a text in chunks that end at these positions. */
async function recordsOf(text: string, ...ends: readonly number[]): Promise<readonly CsvRecord[]> {
  const bytes = Buffer.from(text);
  const starts = [0, ...ends.toSorted((a, b) => a - b)];
  const chunks = starts.map((start, position) => bytes.subarray(start, starts[position + 1]));
  return Array.fromAsync(csvRecords(Readable.from(chunks)));
}

async function separatorOf(text: string): Promise<Separator | undefined> {
  return (await recordsOf(text, 1, 4)).at(-1)?.separator;
}

async function cellsIn(text: string, ...ends: readonly number[]): Promise<readonly (readonly string[])[]> {
  return (await recordsOf(text, ...ends)).map((record) => cellsOf(record.text ?? '', record.separator));
}

const anyText = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\r', '\n', "'", '=', '-', '\t', ';', '|', 'é', '🚀', '\uFEFF', '\uFFFD'),
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
    expect(lines.map((line) => cellsOf(line, ','))).to.deep.equal([
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

  it('has the separator that its first line has most of, not counting those inside quotes', async () => {
    expect(await separatorOf('a,b;c,d\n1;2;3')).to.equal(',');
    expect(await separatorOf('\n\r\n\uFEFFa;b\n1,2,3')).to.equal(';');
    expect(await separatorOf('a\tb,c\td')).to.equal('\t');
    expect(await separatorOf('"a;b;c",d')).to.equal(',');
    expect(await separatorOf('"a,b";"c,d"')).to.equal(';');
    expect(await separatorOf('a\n1;2')).to.equal(',');
    expect(await separatorOf(';;\na,b,c,d')).to.equal(';');
  });

  it('has the same cells with another separator', async () => {
    for (const separator of [';', '\t']) {
      const rows = ['a|b', '"x|y"|1,5', '"two\nlines ""|"""|', 'it\'s "|"'];
      const text = rows.map((row) => row.replaceAll('|', separator)).join('\r\n');
      expect(await cellsIn(text, 3, 9)).to.deep.equal([
        ['a', 'b'],
        [`x${separator}y`, '1,5'],
        [`two\nlines "${separator}"`, ''],
        [`it's "`, '"'],
      ]);
    }
  });

  it('has no cells in a first line that only names the separator', async () => {
    for (const name of ['sep=;', '"sep=;"', '\uFEFFSEP=;']) {
      const records = await recordsOf(`${name}\r\na;b\r\nsep=;\r\n`);
      expect(records.map(({ text, separator }) => [text, separator])).to.deep.equal([
        ['', ';'],
        ['a;b', ';'],
        ['sep=;', ';'],
      ]);
    }
  });

  it('has empty rows, whose cells hold nothing that anybody sees', async () => {
    const rows = [',,', ' ,\u00A0,\t', '"","",""', '"\n",\u200B,', '\uFEFF'];
    const kept = ['x,,', ',"""",', ';,', '",,'];
    const empty = (await recordsOf(['a,b,c', ...rows, ...kept].join('\n'))).map(isEmptyRow);
    expect(empty).to.deep.equal([false, ...rows.map(() => true), ...kept.map(() => false)]);
  });

  it('may begin with a byte order mark, also before a quote', async () => {
    expect(await cellsIn('\uFEFF"a,b",c\n\uFEFFd,e', 1)).to.deep.equal([
      ['a,b', 'c'],
      ['\uFEFFd', 'e'],
    ]);
  });

  it('keeps quotes that do not enclose a cell', () => {
    expect(['a "b" c,d', '"Five" times,x', '"a" "b",', '""', '"",""'].map((row) => cellsOf(row, ','))).to.deep.equal([
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
