import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { inCheckout } from '../support/documents/in-checkout.ts';
import { readMarkdown } from '../support/documents/markdown.ts';
import { runScript } from '../support/documents/shell.ts';

const started = `
  import { startLatchkey } from 'latchkey/testing';
  const latchkey = await startLatchkey();`;

/** Runs each program after the other, and says of each whether it has failed. Their tests run at the end. */
const main = `
  for (const name of process.argv.slice(2)) {
    const outcome = await import('./' + name + '.ts').then(() => 'done', () => 'failed');
    console.log(name + ': ' + outcome);
  }`;

describe('the kit for tests in the documents', () => {
  let output: string;
  let test: readonly string[];

  before(async () => {
    const [shown = '', endpoint = '', stripe = '', link = '', statement = ''] = (
      await readMarkdown('docs/testing.md')
    ).codeBlocks('ts');
    const [block = ''] = (await readMarkdown('README.md')).codeBlocks('ts');
    const [first, ...rest] = block.split('\n').filter((line) => line !== '');
    test = rest;
    const five = [`import assert from 'node:assert/strict';`, first, ...test, 'await latchkey.stop();'];
    const notCanceled = five.filter((line) => line?.includes('.cancel(') !== true).join('\n');
    output = await run({
      shown,
      stripe,
      statement,
      endpoint: `${started}
        await latchkey.grant({ productId: 'sketchpad' });
        ${endpoint}
        if (!secret?.startsWith('whsec_')) throw new Error('no secret');`,
      link: `${started}
        ${link}
        if (status !== 200 || statusAfter !== 404 || Date.parse(expiresAt) < Date.now()) throw new Error('no link');`,
      readme: five.join('\n'),
      notCanceled: notCanceled.replace("'31d'", "'28d'"),
    });
  });

  it('is shown with a test that passes, with a shop at Stripe, and with a statement, in docs/testing.md', () => {
    expect(output)
      .to.match(/^shown: done$/m)
      .and.match(/^stripe: done$/m)
      .and.match(/^statement: done$/m)
      .and.match(/^# pass 3$/m);
  });

  it('is shown with an endpoint on loopback', () => {
    expect(output).to.match(/^endpoint: done$/m);
  });

  it('is shown with a link for a buyer', () => {
    expect(output).to.match(/^link: done$/m);
  });

  it('is shown with a test of five lines that passes, in the README, and fails without its cancellation', () => {
    expect(test).to.have.length(5);
    expect(output)
      .to.match(/^readme: done$/m)
      .and.match(/^notCanceled: failed$/m);
  });
});

/** Runs programs with the kit of this checkout, all in one process, and returns what they print. */
async function run(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  try {
    for (const [name, program] of Object.entries(programs)) {
      await writeFile(join(folder, `${name}.ts`), inCheckout(program));
    }
    await writeFile(join(folder, 'main.ts'), main);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const line = `'${process.execPath}' --no-warnings --test-reporter=tap main.ts ${Object.keys(programs).join(' ')}`;
    return await runScript(`timeout 600 ${line}`, { env, cwd: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}
