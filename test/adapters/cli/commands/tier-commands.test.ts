import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

describe('latchkey tier', () => {
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
  });

  it('says whether it has deleted a tier', async () => {
    await cli.json('tier put --product p1 --id pro');
    for (const deleted of [true, false]) {
      expect(await cli.json('tier delete --product p1 --id pro')).to.deep.equal({ deleted });
    }
  });

  it('reads a value as JSON, and as a text where it is none', async () => {
    for (const [written, value] of [
      ['true', true],
      ['-7', -7],
      ['-0', 0],
      ['"7"', '7'],
      ['"null"', 'null'],
      ['7 seats', '7 seats'],
      ['a=b', 'a=b'],
      ['', ''],
      ['True', 'True'],
      ['9007199254740991', 9007199254740991],
    ] as const) {
      const { stdout, exitCode } = await cli.run([
        'tier',
        'put',
        '--product',
        'p1',
        '--id',
        'pro',
        '--feature',
        `x=${written}`,
        '--json',
      ]);
      expect([written, exitCode, JSON.parse(stdout).features]).to.deep.equal([written, 0, { x: value }]);
    }
    const before = cli.changes.length;
    for (const wrong of [
      'x=null',
      'x=1.5',
      'x=[1]',
      'x={}',
      'x=9007199254740992',
      'x',
      'X=true',
      'constructor=true',
      '=true',
      `x=${'y'.repeat(101)}`,
    ]) {
      const refused = await cli.run(['tier', 'put', '--product', 'p1', '--id', 'pro', '--feature', wrong]);
      expect([wrong, refused.exitCode]).to.deep.equal([wrong, 2]);
      expect(refused.stderr).to.include('--feature must be NAME=VALUE');
    }
    const many = Array.from({ length: 51 }, (_, n) => ['--feature', `f${n}=true`]).flat();
    const refused = await cli.run(['tier', 'put', '--product', 'p1', '--id', 'pro', ...many]);
    expect([refused.exitCode, cli.changes.length]).to.deep.equal([2, before]);
    expect(refused.stderr).to.include('at most 50 features');
  });
});
