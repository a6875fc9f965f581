import { expect } from 'chai';
import { checkOf, inTurn } from '../../support/stores/shown-log.ts';

describe('the check of a log', () => {
  it('knows the last event of each entitlement of a complete log', async () => {
    const { checked, messages } = checkOf(inTurn(5));
    expect(await messages()).to.deep.equal(['good']);
    expect([...checked.last]).to.deep.equal([
      ['ent_1', { sequence: 3, version: 3 }],
      ['ent_2', { sequence: 2, version: 2 }],
    ]);
    expect([checked.count, checked.isPruned]).to.deep.equal([5, false]);
  });

  it('finds nothing in an empty log', async () => {
    const { checked, messages } = checkOf([]);
    expect([await messages(), checked.count, checked.isPruned]).to.deep.equal([['good'], 0, false]);
  });

  it('begins with any sequence if the first events are no longer kept', async () => {
    const { checked, messages } = checkOf(inTurn(9).slice(3));
    expect([await messages(), checked.count, checked.isPruned]).to.deep.equal([['good'], 6, true]);
  });

  for (const [count, pages] of [
    [500, 1],
    [501, 2],
    [999, 2],
    [1000, 3],
  ] as const) {
    it(`reads ${count} events in ${pages} pages, each from the last event of the one before`, async () => {
      const { log, checked, messages } = checkOf(inTurn(count));
      expect([await messages(), checked.count, log.pages]).to.deep.equal([['good'], count, pages]);
    });
  }

  it('goes on where it ended once the log has grown, and reads nothing otherwise', async () => {
    const { log, checked, messages } = checkOf(inTurn(4));
    await messages();
    log.events = inTurn(7);
    expect([await messages(), checked.count, log.pages]).to.deep.equal([['good'], 7, 2]);
    expect([await messages(), checked.count, log.pages]).to.deep.equal([['good'], 7, 2]);
  });

  it('goes on with what is kept if all that it has read was removed meanwhile', async () => {
    const { log, checked, messages } = checkOf(inTurn(4));
    await messages();
    log.events = inTurn(12).slice(6);
    expect([await messages(), checked.count, checked.isPruned]).to.deep.equal([['good'], 10, true]);
    expect([...checked.last].map(([id, { sequence }]) => [id, sequence])).to.deep.equal([
      ['ent_1', 6],
      ['ent_2', 6],
    ]);
  });

  it('ends if the log has become shorter', async () => {
    const { log, checked, messages } = checkOf(inTurn(4));
    await messages();
    log.events = inTurn(2);
    expect([await messages(), checked.count]).to.deep.equal([['good'], 4]);
  });
});
