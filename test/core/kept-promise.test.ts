import { expect } from 'chai';
import { keptPromise } from '../../core/kept-promise.ts';
import { thrownBy } from '../support/thrown.ts';

describe('a kept promise', () => {
  it('is made once, for those who wait and for those who come later', async () => {
    let made = 0;
    const get = keptPromise(async () => (made += 1));
    expect(await Promise.all([get(), get()])).to.deep.equal([1, 1]);
    expect(await get()).to.equal(1);
  });

  it('is made again after it was rejected', async () => {
    let made = 0;
    const get = keptPromise(async () => {
      made += 1;
      if (made === 1) throw new Error('the first time');
      return made;
    });
    const [one, other] = [get(), get()];
    expect(await thrownBy(one)).to.equal(await thrownBy(other));
    expect(await get()).to.equal(2);
    expect(await get()).to.equal(2);
  });
});
