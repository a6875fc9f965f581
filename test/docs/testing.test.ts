import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { inCheckout } from '../support/documents/in-checkout.ts';
import { readMarkdown } from '../support/documents/markdown.ts';
import { runScript } from '../support/documents/shell.ts';

describe('the kit for tests in the documents', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is shown with a test that passes, in docs/testing.md', async () => {
    const [program = ''] = (await readMarkdown('docs/testing.md')).codeBlocks('ts');
    expect(await run(program)).to.match(/^# pass 1$/m);
  });

  it('is shown with an endpoint on loopback', async () => {
    const [, block = ''] = (await readMarkdown('docs/testing.md')).codeBlocks('ts');
    const program = `
      import { startLatchkey } from 'latchkey/testing';
      const latchkey = await startLatchkey();
      await latchkey.grant({ productId: 'sketchpad' });
      ${block}
      if (!secret?.startsWith('whsec_')) throw new Error('no secret');`;
    await run(program);
  });

  it('is shown with a shop at Stripe', async () => {
    const [, , program = ''] = (await readMarkdown('docs/testing.md')).codeBlocks('ts');
    expect(await run(program)).to.match(/^# pass 1$/m);
  });

  it('is shown with a link for a buyer', async () => {
    const [, , , block = ''] = (await readMarkdown('docs/testing.md')).codeBlocks('ts');
    const program = `
      import { startLatchkey } from 'latchkey/testing';
      const latchkey = await startLatchkey();
      ${block}
      if (status !== 200 || statusAfter !== 404 || Date.parse(expiresAt) < Date.now()) throw new Error('no link');`;
    await run(program);
  });

  it('is shown with a test of five lines that passes, in the README, and fails without its cancellation', async () => {
    const [block = ''] = (await readMarkdown('README.md')).codeBlocks('ts');
    const [first, ...test] = block.split('\n').filter((line) => line !== '');
    expect(test).to.have.length(5);
    const program = [`import assert from 'node:assert/strict';`, first, ...test, 'await latchkey.stop();'];
    await run(program.join('\n'));
    const notCanceled = program.filter((line) => line?.includes('.cancel(') !== true).join('\n');
    const withinGrace = notCanceled.replace("'31d'", "'28d'");
    await assert.rejects(run(withinGrace));
  });

  /** Runs a program with the kit of this checkout. */
  async function run(program: string): Promise<string> {
    const file = join(folder, 'program.ts');
    await writeFile(file, inCheckout(program));
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return runScript(`timeout 600 '${process.execPath}' --no-warnings --test-reporter=tap '${file}'`, { env });
  }
});
