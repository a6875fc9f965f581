import { expect } from 'chai';
import { UnusableStore } from '../../../core/store/store.port.ts';

describe('UnusableStore', () => {
  it('has its message, its cause, and whether the store is missing', () => {
    const cause = new Error('no such file');
    const missing = new UnusableStore('there is no store', { isMissing: true, cause });
    expect([missing.message, missing.isMissing, missing.cause]).to.deep.equal(['there is no store', true, cause]);
  });

  it('means a store that is there unless it says otherwise', () => {
    expect(new UnusableStore('too new').isMissing).to.equal(false);
  });
});
