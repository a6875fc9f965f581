import { expect } from 'chai';
import * as fc from 'fast-check';
import { csvLine, withoutApostrophe } from '../../core/csv-line.ts';

const skipped = ['', "'", '"', ' ', '\u00A0', '\u00AD', '\u200B', '\u2060', '\uFEFF', '\v'];
const signs = ['=', '+', '-', '@', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20'];
const separators = [';', '\t', '|', '\n', '\r', '\r\n'];

/** The cell of a line of CSV that has one. */
function written(text: string): string {
  const line = csvLine([text]).slice(0, -2);
  return line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
}

describe('a cell of CSV', () => {
  it('has an apostrophe before each place where a spreadsheet may begin a formula', () => {
    for (const sign of signs) {
      for (const skip of skipped) {
        const formula = `${skip}${sign}1+1`;
        expect(written(formula)).to.equal(`'${formula}`);
        for (const separator of separators) {
          expect(written(`x${separator}${formula}`), separator).to.equal(`x${separator}'${formula}`);
          expect(written(`x${separator}${separator}${formula}`)).to.equal(`x${separator}${separator}'${formula}`);
        }
      }
    }
  });

  it('stays a number, which is no formula', () => {
    expect(csvLine([-5, 0, '-5'])).to.equal("-5,0,'-5\r\n");
  });

  it('begins no formula, wherever a spreadsheet splits it', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', '=', '@', ';', '\t', '|', '\n', '"', ',', "'", '\uFEFF', ' '),
    });
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = csvLine([text])
          .slice(0, -2)
          .split(/[;\t|\r\n]/);
        const begins = pieces.filter((piece) => /^["\uFEFF ]*[=@]/.test(piece));
        expect(begins).to.deep.equal([]);
      }),
    );
  });

  it('is as it was without the apostrophes that were added', () => {
    const unit = fc.constantFrom('a', ...skipped, ...signs, ...separators);
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(withoutApostrophe(written(text))).to.equal(text);
      }),
    );
  });

  it('is left alone where nothing begins a formula', () => {
    for (const text of [
      '',
      'x',
      'a=b',
      'a-b; c',
      "rock 'n' roll",
      '2026-07-18T12:00:00.000Z',
      'a|b',
      'ada+1@one.example',
    ]) {
      expect(written(text)).to.equal(text);
    }
  });
});
