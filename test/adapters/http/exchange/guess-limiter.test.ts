import { expect } from 'chai';
import { GuessLimiter } from '../../../../adapters/http/exchange/rate-limiter.ts';
import { LocalLimitCounts } from '../../../../adapters/http/limits/limit-counts.ts';
import { isRefusal, refuse } from '../../../../adapters/http/refusals.ts';
import { noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { refusalOf } from '../../../support/thrown.ts';

const good = async (): Promise<string> => 'a key';
const bad = async (): Promise<string> => Promise.reject(refuse('invalid_app_key'));
const down = async (): Promise<string> => Promise.reject(refuse('store_unavailable'));

describe('the limit of guesses', () => {
  it('counts what is refused, not what is good or unknown', async () => {
    const limiter = new GuessLimiter(new LocalLimitCounts({}));
    for (const lookUp of [good, down]) {
      for (const _ of range(50)) expect(await guess(limiter, lookUp)).not.to.equal('rate_limited');
    }
    for (const _ of range(20)) expect(await guess(limiter, bad)).to.equal('invalid_app_key');
    expect(await guess(limiter, good)).to.equal('rate_limited');
    expect(await guess(limiter, good, 'b')).to.equal('a key');
  });

  it('says when its minute is over', async () => {
    const limiter = new GuessLimiter(new LocalLimitCounts({}));
    await limiter.check('a', noon);
    for (const _ of range(20)) await guess(limiter, bad);
    const { code, details } = await refusalOf(limiter.check('a', noon));
    expect(code).to.equal('rate_limited');
    expect((details.retryAt?.getTime() ?? 0) - noon.getTime()).to.be.within(50_000, 60_000);
  });

  it('lets those that wait go on as keys turn out good, and none when they turn out bad', async () => {
    const limiter = new GuessLimiter(new LocalLimitCounts({}));
    const pending = range(20).map(() => Promise.withResolvers<string>());
    const first = pending.map(({ promise }) => guess(limiter, () => promise));
    const others = range(30).map(() => guess(limiter, good));
    pending[0]?.resolve('a key');
    expect(await Promise.all(others)).to.deep.equal(range(30).map(() => 'a key'));
    for (const { reject } of pending.slice(1)) reject(refuse('invalid_app_key'));
    await Promise.all(first);
    const last = [guess(limiter, bad), guess(limiter, good), guess(limiter, good)];
    expect(await Promise.all(last)).to.deep.equal(['invalid_app_key', 'rate_limited', 'rate_limited']);
  });
});

/** Looks a key up, and returns what is found or why not. */
async function guess(limiter: GuessLimiter, lookUp: () => Promise<string>, address = 'a'): Promise<string> {
  try {
    return await limiter.count(address, noon, lookUp);
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}
