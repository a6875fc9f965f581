import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';

describe('latchkey webhook', () => {
  const store = freshStore(memory.open);
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = new TestCommandLine(store());
    await cli.json('product add --id prod_1 --name One');
  });

  const run = async (line: string): Promise<string> => (await cli.run(line.split(' '))).stdout;

  it('says that a secret is shown once, and when it was shown before', async () => {
    const add = 'webhook add --url https://shop.example/hooks --id whk_1';
    expect(await run(add)).to.match(/The secret is shown only this once\.\n$/);
    expect(await run(add)).to.match(/its secret is not shown again\.\n$/);
    expect(await run('webhook show whk_1'))
      .to.match(/^State +enabled$/m)
      .and.to.match(/^Product id +Position/m);
    expect(await run('webhook skip whk_1 --product prod_1 --to 0-')).to.match(/^Position +0$/m);
  });

  it('says how a test has gone', async () => {
    await cli.json('webhook add --url https://127.0.0.1:1/ --id whk_1');
    const answer = 'an address that is not allowed';
    expect(await cli.json('webhook test whk_1')).to.deep.equal({ delivered: false, answer });
    expect(await run('webhook test whk_1')).to.equal(`Not delivered: ${answer}.\n`);
    const test = { command: 'webhook test', webhookId: 'whk_1' };
    expect(cli.changes.slice(-2)).to.deep.equal([test, test]);
  });
});
