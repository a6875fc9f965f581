import { expect } from 'chai';
import { outputs } from './output-search.ts';

const release = outputs.requireOfEveryProcess();

/** Runs at the end of every run of mocha: no output may have had a secret. */
export const mochaHooks = {
  afterAll(): void {
    release();
    expect(outputs.found).to.deep.equal([]);
  },
};
