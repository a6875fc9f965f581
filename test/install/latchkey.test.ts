import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runScript } from '../support/documents/shell.ts';

const command = join(import.meta.dirname, '../../latchkey');

describe('./latchkey', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    env = { ...process.env, PATH: [folder, process.env['PATH']].join(':') };
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('runs on the Node of the checkout, from any folder and by a link', async () => {
    await writeFile(join(folder, 'node'), '#!/bin/sh\necho the Node of this machine\n');
    await chmod(join(folder, 'node'), 0o755);
    await symlink(command, join(folder, 'linked'));
    for (const path of [command, './linked'])
      expect(await runScript(`${path} --version`, { env, cwd: folder })).to.match(/^\d+\.\d+\.\d+(\+[0-9a-f]{7,})?\n$/);
  });

  it('passes on its arguments as they are, and the exit code', async () => {
    await writeFile(join(folder, 'two  words.json'), '{ "port": 4000 }');
    const line = `${command} config print --json --config 'two  words.json'`;
    expect(await runScript(line, { env, cwd: folder })).to.include('4000');
    const failed: unknown = await runScript(`${command} none`, { env, cwd: folder }).catch((error: unknown) => error);
    expect(failed).to.include({ code: 2 });
  });
});
