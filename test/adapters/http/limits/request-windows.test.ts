import { expect } from 'chai';
import { LocalLimitCounts } from '../../../../adapters/http/limits/limit-counts.ts';
import { RecentMap } from '../../../../adapters/http/limits/recent-map.ts';
import { SeededRandom } from '../../../support/random.ts';
import { range } from '../../../support/range.ts';

describe('the windows of rate limits', () => {
  let now: number;
  beforeEach(() => {
    now = 5_000_000;
    performance.now = () => now;
  });
  afterEach(() => {
    Reflect.deleteProperty(performance, 'now'); // What it inherits is its own clock.
  });

  it('begin with the first request, last a minute, and the next one begins with the next request', async () => {
    const counts = new LocalLimitCounts({ verifyLicense: 2 });
    const request = (): Promise<number | null> => counts.request('verifyLicense', 'a');
    now += 59_000;
    expect(await request()).to.equal(null);
    now += 50_000;
    expect([await request(), await request()]).to.deep.equal([null, 10_000]);
    now += 9_999;
    expect(await request()).to.equal(1);
    now += 501;
    expect([await request(), await request(), await request()]).to.deep.equal([null, null, 60_000]);
  });

  it('are each of one subject and one operation', async () => {
    const counts = new LocalLimitCounts({ verifyLicense: 1, getListing: 1 });
    expect(await counts.request('verifyLicense', 'a')).to.equal(null);
    now += 1000;
    expect(await counts.request('verifyLicense', 'b')).to.equal(null);
    expect(await counts.request('getListing', 'a')).to.equal(null);
    expect(await counts.request('verifyLicense', 'a')).to.equal(59_000);
    expect(await counts.request('verifyLicense', 'b')).to.equal(60_000);
    expect(await counts.request('listEvents', 'a')).to.equal(null);
  });

  it('are known as long as they run, and forgotten within two minutes', () => {
    const random = new SeededRandom(1);
    const map = new RecentMap<number>(100);
    const set = new Map<string, number>();
    for (const _ of range(5000)) {
      now += random.below(random.pick([2, 20, 300]));
      const key = `${random.below(30)}`;
      map.set(key, now);
      set.set(key, now);
      for (const [each, time] of set) {
        if (now < time + 100) expect(map.get(each)).to.equal(time);
        if (now >= time + 200) expect(map.get(each)).to.equal(undefined);
      }
      expect(map.get(key)).to.equal(now);
    }
  });
});
