import { expect } from 'chai';
import { endFile } from '../lending/after-file.ts';
import { returnLoans } from '../lending/borrow.ts';
import { lend, type Lender } from '../lending/lender.ts';
import { outputs } from './output-search.ts';

let release = (): void => {};

/** Runs around each file, or around all files of a run in one process: no output may have had a secret. */
export const mochaHooks = {
  beforeAll(): void {
    release = outputs.requireOfEveryProcess();
  },
  async afterAll(): Promise<void> {
    release();
    await endFile();
    returnLoans();
    expect(outputs.takeFound()).to.deep.equal([]);
  },
};

let lender: Lender | null = null;

/** Runs once, in the process that the others belong to. */
export async function mochaGlobalSetup(): Promise<void> {
  lender = await lend();
  process.on('SIGINT', () => {
    void mochaGlobalTeardown().finally(() => process.exit(130));
  });
}

export async function mochaGlobalTeardown(): Promise<void> {
  await lender?.end();
  lender = null;
}
