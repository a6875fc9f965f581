import { expect } from 'chai';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import type { TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithProduct } from '../../../support/cli/line-files.ts';

describe('the answer to a key on the command line', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithProduct();
  });

  const lastLine = async (line: string): Promise<string> =>
    (await cli.run(line.split(' '))).stdout.trimEnd().split('\n').at(-1) ?? '';

  it('says so if the key has all scopes, and if it never expires', async () => {
    const shown = 'The key is shown only this once.';
    const forEver = `${shown} It has all scopes and never expires: limit a key with --scope and --expires.`;
    const every = operatorScopes.map((scope) => `--scope ${scope}`).join(' ');
    const issue = 'operator issue --name Billing';
    expect(await lastLine(`${issue} --id k1`)).to.equal(forEver);
    expect(await lastLine(`${issue} ${every}`)).to.equal(forEver);
    expect(await lastLine('operator rotate k1')).to.equal(forEver);
    expect(await lastLine(`${issue} --expires 2027-01-01T00:00:00Z`)).to.equal(
      `${shown} It has all scopes: limit a key with --scope.`,
    );
    expect(await lastLine(`${issue} --scope admin:read`)).to.equal(shown);
    expect(await lastLine('key issue --product p1')).to.equal(shown);
  });

  it('says that a key was issued before', async () => {
    const issue = 'key issue --product p1 --id k1'.split(' ');
    await cli.run(issue);
    const { stdout } = await cli.run(issue);
    expect(stdout)
      .to.match(/^Key +-$/m)
      .and.match(/The key was issued before and is not shown again\.\n$/);
  });
});
