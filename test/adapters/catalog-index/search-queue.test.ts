import { expect } from 'chai';
import { SearchQueue } from '../../../adapters/catalog-index/search-queue.ts';
import { TimeSlices } from '../../../adapters/catalog-index/time-slices.ts';
import { deadlineIn, type Deadline } from '../../../core/call.ts';
import { range } from '../../support/range.ts';
import { refusalOf } from '../../support/thrown.ts';

describe('the search queue', () => {
  /** The clock: it counts the steps of all searches. */
  let steps: number;
  /** The searches that have begun, in order. */
  let begun: number[];
  beforeEach(() => {
    steps = 0;
    begun = [];
  });

  it('answers the first of too many searches, and refuses the others without beginning them', async () => {
    const queue = new SearchQueue(new TimeSlices(), { running: 1, waiting: 400 });
    const searches = range(400).map((id) => queue.run(() => search(id, 10), within(1000)));
    const outcomes = await Promise.all(searches.map(async (outcome) => outcome.catch(() => 'refused')));
    // The last one begins when exactly three quarters of the time have passed.
    const answered = range(76);
    expect(outcomes).to.deep.equal([...answered, ...Array.from({ length: 400 - 76 }, () => 'refused')]);
    expect([begun, steps]).to.deep.equal([answered, 760]);
  });

  it('refuses a search at once while too many are waiting, and takes it once they are not', async () => {
    const queue = new SearchQueue(new TimeSlices(), { running: 1, waiting: 2 });
    const admitted = [1, 2, 3].map((id) => queue.run(() => search(id, 5), within(1000)));
    expect((await refusalOf(queue.run(() => search(4, 5), within(1000)))).code).to.equal('store_unavailable');
    expect(await Promise.all(admitted)).to.deep.equal([1, 2, 3]);
    expect(await queue.run(() => search(5, 5), within(1000))).to.equal(5);
    expect(begun).to.deep.equal([1, 2, 3, 5]);
  });

  it('goes on after a search that fails', async () => {
    const queue = new SearchQueue(new TimeSlices(), { running: 1, waiting: 1 });
    const failed = queue.run(failing, within(1000)).catch((error: Error) => error.message);
    expect(await queue.run(() => search(2, 1), within(1000))).to.equal(2);
    expect(await failed).to.equal('on purpose');
  });

  it('ends a search whose time has passed', async () => {
    const queue = new SearchQueue(new TimeSlices());
    expect((await refusalOf(queue.run(() => search(1, 100), within(10)))).code).to.equal('store_unavailable');
    expect(steps).to.equal(10);
  });

  function within(limit: number): Deadline {
    return deadlineIn(limit, () => steps);
  }

  function* search(id: number, length: number): Generator<void, number> {
    begun.push(id);
    for (let step = 0; step < length; step += 1) {
      steps += 1;
      yield;
    }
    return id;
  }
});

function* failing(): Generator<void, number> {
  yield;
  throw new Error('on purpose');
}
