import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { LocalLimitCounts } from '../../../adapters/http/limits/limit-counts.ts';
import { countRequests, RequestCounts, type CountedRequests } from '../../../app/workers/request-counts.ts';
import { aLatch } from '../../support/latch.ts';
import { range } from '../../support/range.ts';

describe('the requests that another process counts', () => {
  it('are asked about together: those of one turn, and those that arrive before the answer', async () => {
    const asked: CountedRequests[] = [];
    const first = aLatch();
    const arrived = aLatch();
    const counts = new RequestCounts(async (requests) => {
      asked.push(requests);
      first.release();
      await arrived.released;
      return null;
    });
    const early = ['a', 'b'].map((subject) => counts.request('verifyLicense', subject));
    await first.released;
    const late = ['c', 'd'].map((subject) => counts.request('getListing', subject));
    for (const _ of range(5)) await endOfTurn();
    expect(asked).to.have.lengthOf(1);
    arrived.release();
    expect(await Promise.all([...early, ...late])).to.deep.equal([null, null, null, null]);
    expect(asked).to.deep.equal([
      ['verifyLicense', 'a', 'verifyLicense', 'b'],
      ['getListing', 'c', 'getListing', 'd'],
    ]);
  });

  it('have each its own answer, and exactly the limit of several processes has room', async () => {
    const limits = new LocalLimitCounts({ verifyLicense: 7 });
    const workers = range(2).map(() => new RequestCounts((requests) => countRequests(limits, requests)));
    const answers = await Promise.all(
      range(10).flatMap(() =>
        workers.flatMap(({ request }) => [request('verifyLicense', 'a'), request('getListing', 'a')]),
      ),
    );
    const ofVerification = answers.filter((_, position) => position % 2 === 0);
    const ofListing = answers.filter((_, position) => position % 2 === 1);
    expect(ofVerification.filter((wait) => wait === null)).to.have.lengthOf(7);
    expect(ofVerification.filter((wait) => wait !== null && wait > 0)).to.have.lengthOf(13);
    expect(ofListing).to.deep.equal(range(20).map(() => null));
  });

  it('fail together with the question, and later ones are asked about anew', async () => {
    let questions = 0;
    const counts = new RequestCounts(async () => {
      questions += 1;
      if (questions === 1) throw new Error('ended');
      return null;
    });
    const failed = await Promise.allSettled(['a', 'b'].map((subject) => counts.request('verifyLicense', subject)));
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await counts.request('verifyLicense', 'a')).to.equal(null);
  });
});
