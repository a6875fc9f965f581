import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { runCommand } from '../support/cli/run-command.ts';
import { programPath } from '../support/processes/command-process.ts';
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
    await runCommand('listing import -', store, { input: lines });
    const child = startNode([programPath, 'listing', 'export', '--store', store]);
    const errors = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as readonly unknown[];
    expect([code, await errors]).to.deep.equal([141, '']);
  });
});
