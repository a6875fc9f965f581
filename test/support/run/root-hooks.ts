import { expect } from 'chai';
import { outputs } from './output-search.ts';

/** What every run of mocha does in the end. */
export const mochaHooks = {
  afterAll(): void {
    expect(outputs.found).to.deep.equal([]);
  },
};
