import { expect } from 'chai';
import { ObjectId, Timestamp } from 'mongodb';
import { CausalTime } from '../../../../adapters/mongo/driver/causal-time.ts';

describe('CausalTime', () => {
  let time: CausalTime;
  beforeEach(() => {
    time = new CausalTime();
  });

  it('is undefined before anything is known, and on a server that has no cluster time', async () => {
    time.observe({ isWritablePrimary: true });
    time.advance(undefined);
    expect(await sentTimes()).to.deep.equal([undefined]);
  });

  it('is that of the latest write, whatever the order in which writes are acknowledged', async () => {
    for (const seconds of [5, 7, 6]) time.advance(at(seconds));
    time.advance(undefined);
    expect(await sentTimes()).to.deep.equal([at(7)]);
  });

  it('is that of the last write of a primary when it is seen first', async () => {
    time.observe(heartbeatOf(1, 10));
    time.observe(heartbeatOf(1, 20));
    expect(await sentTimes()).to.deep.equal([at(10)]);
    time.observe(heartbeatOf(2, 30));
    expect(await sentTimes()).to.deep.equal([at(30)]);
  });

  it('is not that of a secondary, nor of a primary that does not take writes yet', async () => {
    time.observe({ ...heartbeatOf(1, 10), isWritablePrimary: false });
    expect(await sentTimes()).to.deep.equal([undefined]);
  });

  it('sends a read again when a new primary appears before the answer', async () => {
    time.observe(heartbeatOf(1, 10));
    expect(await sentTimes(() => time.observe(heartbeatOf(2, 20)))).to.deep.equal([at(10), at(20)]);
  });

  it('sends a read once when writes are acknowledged before the answer', async () => {
    time.observe(heartbeatOf(1, 10));
    expect(await sentTimes(() => time.advance(at(20)))).to.deep.equal([at(10)]);
  });

  /** The times with which one read is sent, where `meanwhile` happens before its first answer. */
  async function sentTimes(meanwhile = (): void => {}): Promise<readonly (Timestamp | undefined)[]> {
    const sent: (Timestamp | undefined)[] = [];
    await time.read(async (after) => {
      sent.push(after);
      if (sent.length === 1) meanwhile();
    });
    return sent;
  }
});

function at(seconds: number): Timestamp {
  return new Timestamp({ t: seconds, i: 1 });
}

function heartbeatOf(term: number, seconds: number): object {
  const electionId = new ObjectId(term.toString(16).padStart(24, '0'));
  return { isWritablePrimary: true, electionId, lastWrite: { opTime: { ts: at(seconds), t: term } } };
}
