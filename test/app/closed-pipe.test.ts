import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { programPath, startCommandProcess } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';
import { range } from '../support/range.ts';
import { temporaryFile } from '../support/stores/sqlite-file.ts';

const listing = {
  name: 'S',
  blurb: 'x'.repeat(1000),
  category: 'A',
  commissionPercent: 1,
  compensationType: 'both',
  compensationLabel: 'x',
  storefrontCount: 0,
};

describe('an export whose reader closes the pipe', () => {
  const path = temporaryFile();

  it('ends with the exit code of SIGPIPE and without a message', async () => {
    const store = `sqlite:${path()}`;
    const lines = range(1000).map((number) => `${JSON.stringify({ ...listing, slug: `s-${number}` })}\n`);
    await startCommandProcess('listing import -', store, lines).run;
    const child = startNode([programPath, 'listing', 'export', '--store', store]);
    const errors = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as readonly unknown[];
    expect([code, await errors]).to.deep.equal([141, '']);
  });
});
