import { expect } from 'chai';
import { MemoryWaitlist } from '../../../../adapters/memory/memory-waitlist.ts';
import { aSignUp, noon } from '../../../support/builders.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

describe('latchkey waitlist', () => {
  let line: TestCommandLine;
  beforeEach(async () => {
    line = new TestCommandLine();
    const waitlist = new MemoryWaitlist(line.store);
    await waitlist.join(aSignUp());
    await waitlist.join(aSignUp({ email: 'bob@example.com', name: '=HYPERLINK("x")', handle: null, role: null }));
  });

  it('exports CSV without formulas', async () => {
    const { stdout } = await line.run(['waitlist', 'export']);
    const at = noon.toISOString();
    expect(stdout).to.equal(
      [
        'email,name,handle,role,at,invitedAt',
        `Ada@Example.com,Ada,ada,creator,${at},`,
        `bob@example.com,"'=HYPERLINK(""x"")",,,${at},`,
        '',
      ].join('\r\n'),
    );
  });

  it('exports one JSON object a line', async () => {
    const { stdout } = await line.run(['waitlist', 'export', '--format', 'ndjson']);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as unknown);
    const { invitation: _none, ...ada } = aSignUp();
    const bob = {
      email: 'bob@example.com',
      name: '=HYPERLINK("x")',
      handle: null,
      role: null,
      at: noon.toISOString(),
      invitedAt: null,
    };
    expect(entries).to.deep.equal([{ ...ada, at: noon.toISOString() }, bob]);
    expect((await line.run(['waitlist', 'export', '--json'])).stdout).to.equal(stdout);
  });

  it('invites, with a warning where the link is a path, and logs neither address nor link', async () => {
    await line.json('product add --id prod_1 --name Sketchpad');
    const { stdout, exitCode } = await line.run(['waitlist', 'invite', 'ADA@example.com', '--product', 'prod_1']);
    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/\/console\/invitations\/[\w-]{43}/)
      .and.include('Warning: MERCHANT_URL is not set');
    expect(line.changes.at(-1)).to.deep.equal({ command: 'waitlist invite', products: 'prod_1' });
    const refused = await line.run(['waitlist', 'invite', 'eve@example.com', '--product', 'prod_1']);
    expect(refused.stderr).to.include('The waitlist has no entry of this address.').and.not.include('eve@');
  });

  it('erases entries in batch mode, and repeats no address of a refused line', async () => {
    const lines = [
      { email: 'ADA@example.com' },
      { email: 'ada@example.com' },
      { email: 'no address' },
      { email: '' },
      { address: 'bob@example.com' },
      { email: 'bob@example.com' },
    ];
    const text = lines.map((each) => JSON.stringify(each)).join('\n');
    const { exitCode, stdout, stderr } = await line.run(['waitlist', 'erase', '-'], text);
    const wrong = 'email must have an @ and no white space.';
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each) as unknown),
    ).to.deep.equal([
      { erased: 1 },
      { erased: 0 },
      { line: 3, code: 'invalid_line', error: wrong },
      { line: 4, code: 'invalid_line', error: wrong },
      {
        line: 5,
        code: 'invalid_line',
        error: 'A member of the line is not an option of this command. email is missing.',
      },
      { erased: 1 },
    ]);
    expect([exitCode, stderr]).to.deep.equal([1, '3 of 6 lines were refused.\n']);
    expect(line.changes).to.deep.equal([1, 1].map((entries) => ({ command: 'waitlist erase', entries })));
    expect(line.store.waitlist.size).to.equal(0);
  });
});
