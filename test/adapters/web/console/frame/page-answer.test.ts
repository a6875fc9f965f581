import { expect } from 'chai';
import { encodedInTurns } from '../../../../../adapters/web/console/frame/page-answer.ts';
import { eventLoopTurnsDuring } from '../../../../support/event-loop.ts';

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
