import { expect } from 'chai';
import { reachName } from '../../../core/reach.ts';

describe('the name of a reach', () => {
  it('is another for each, whatever the order of its products', () => {
    const reaches = [null, [], ['a'], ['b'], ['ab'], ['a', 'b'], ['a', 'b', 'ab']];
    const names = reaches.map((products) => reachName(products && new Set(products)));
    expect(new Set(names).size).to.equal(reaches.length);
    expect(reachName(new Set(['b', 'a']))).to.equal(reachName(new Set(['a', 'b'])));
  });
});
