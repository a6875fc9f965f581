import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../support/cli/run-command.ts';
import { openAt, sqlite } from '../support/stores/stores.ts';

describe('the variables of a command', () => {
  it('count as not set where they are empty, also those that name a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const store = await sqlite.address();
    const { url } = store;
    await (await openAt(url)).close();
    const file = join(folder, 'address');
    await writeFile(file, url);
    const named = { STORE_FROM: '', STORE_FROM_FILE: file, STORE_TO: url, STORE_TO_FILE: '' };
    expect(await run({ ...named, PORT: '', STRIPE_API_KEY_FILE: '' }, 'store', 'compare')).to.equal('0 the same: 0\n');
    const settings = { STORE_URL: '', STORE_URL_FILE: file, SITE_LOGO: '' };
    expect(await run(settings, 'product', 'list')).to.equal('0 None.\n');
    expect(await run({ ...named, STORE_FROM_FILE: '' }, 'store', 'compare')).to.match(/^2 Name the store with --from/);
    await store.remove();
    await rm(folder, { recursive: true });
  });
});

async function run(variables: Readonly<Record<string, string>>, ...command: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(command, { env: variables });
  return `${exitCode} ${stdout}${stderr}`;
}
