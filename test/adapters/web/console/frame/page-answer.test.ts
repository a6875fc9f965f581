import { expect } from 'chai';
import { encodedInTurns, fileAnswer } from '../../../../../adapters/web/console/frame/page-answer.ts';
import { eventLoopTurnsDuring } from '../../../../support/event-loop.ts';
import { range } from '../../../../support/range.ts';

describe('a page of the console', () => {
  it('stays a text if it is short', async () => {
    expect(await encodedInTurns('ä🎉')).to.equal('ä🎉');
  });

  it('is encoded in pieces if it is long, between which other requests get their turn', async () => {
    // Of three units, and of characters of two: pieces of any even or odd length would end within one.
    for (const text of ['ä🎉'.repeat(400_000), 'a'.repeat(1_000_000), `a${'🎉'.repeat(300_000)}`]) {
      const encoding = encodedInTurns(text);
      expect(await eventLoopTurnsDuring(encoding)).to.be.greaterThan(8);
      expect(Buffer.from(text).equals((await encoding) as Uint8Array)).to.equal(true);
    }
  });
});

describe('a file of the console', () => {
  it('is encoded in pieces, between which other requests get their turn', async () => {
    const rows = range(100_000).map((number) => `${number},ä🎉\r\n`);
    async function* lines(): AsyncIterable<string> {
      yield* rows;
    }
    const answer = fileAnswer({ kind: 'file', name: 'rows.csv', contentType: 'text/csv', lines: lines() });
    expect(await eventLoopTurnsDuring(answer)).to.be.greaterThan(30);
    expect(Buffer.from(rows.join('')).equals((await answer).content as Uint8Array)).to.equal(true);
  });
});
