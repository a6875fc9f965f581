import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileOf } from '../../docs/generate/repository.ts';
import { valueOf } from '../support/cli/run-command.ts';
import { outputs } from '../support/run/output-search.ts';

const main = fileOf('app/main.js');
const old = ['latchkey-2026-07-14T000000Z.db', 'latchkey-2026-07-15T000000Z.db', 'latchkey-2026-07-16T000000Z.db'];
const others = ['latchkey.db', 'latchkey-2026-07-14.db', 'notes.txt'];

describe('deploy/backup.sh', () => {
  let folder: string;
  let backups: string;
  const storeUrl = (): string => `sqlite:${join(folder, 'store.db')}`;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-backups-'));
    backups = join(folder, 'of the store');
    await mkdir(backups);
    for (const name of [...old, ...others]) await writeFile(join(backups, name), name);
    await valueOf('product add --id prod_1 --name Sketchpad', storeUrl());
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes a dated backup, which is checked and for its user only, and keeps the newest ones', async () => {
    const { code, stdout } = await backup('2', process.execPath, main);
    expect(code).to.equal(0);
    expect(stdout).to.include('The store can be opened.');
    const [made = '', ...more] = (await readdir(backups)).filter((name) => ![...old, ...others].includes(name));
    expect(made).to.match(/^latchkey-\d{4}-\d{2}-\d{2}T\d{6}Z\.db$/);
    expect(more).to.deep.equal([]);
    expect((await stat(join(backups, made))).mode & 0o777).to.equal(0o600);
    expect(await readdir(backups)).to.have.members([made, 'latchkey-2026-07-16T000000Z.db', ...others]);
    const [listed] = (await valueOf('product list', `sqlite:${join(backups, made)}`)) as readonly object[];
    expect(listed).to.include({ id: 'prod_1' });
  });

  it('removes nothing if there is no backup', async () => {
    await rm(join(folder, 'store.db'));
    const { code, stderr } = await backup('1', process.execPath, main);
    expect(code).not.to.equal(0);
    expect(stderr).not.to.equal('');
    expect(await readdir(backups)).to.have.members([...old, ...others]);
  });

  it('removes nothing if the check of the backup fails', async () => {
    const failing = join(folder, 'latchkey');
    const script = `#!/bin/sh\n[ "$2" != check ] || exit 1\nexec "${process.execPath}" "${main}" "$@"\n`;
    await writeFile(failing, script);
    await chmod(failing, 0o700);
    expect((await backup('1', failing)).code).to.equal(1);
    expect(await readdir(backups)).to.include.members([...old, ...others]);
  });

  it('says how it is used', async () => {
    for (const keep of ['0', '-1', 'all', ''])
      expect((await backup(keep, process.execPath, main)).code, keep).to.equal(2);
    expect((await backup('1')).stderr).to.include('usage:');
    expect(await readdir(backups)).to.have.members([...old, ...others]);
  });

  it('is what the unit and the compose file run', async () => {
    const unit = await readFile(fileOf('deploy/latchkey-backup.service'), 'utf8');
    expect(unit).to.match(
      /^ExecStart=\/bin\/sh \S+\/deploy\/backup\.sh %S\/latchkey-backups 14 \/usr\/bin\/node \S+\/main\.js$/m,
    );
    const compose = await readFile(fileOf('deploy/compose.backup.yaml'), 'utf8');
    expect(compose).to.include('/deploy/backup.sh /backups 14 latchkey');
  });

  function backup(keep: string, ...command: readonly string[]): Promise<Outcome> {
    return run('/bin/sh', fileOf('deploy/backup.sh'), backups, keep, ...command);
  }

  function run(program: string, ...parameters: readonly string[]): Promise<Outcome> {
    // The PATH of a service, in which the programs of every system are.
    const environment = { ...process.env, PATH: '/usr/bin:/bin', STORE_URL: storeUrl() };
    return new Promise((resolve) => {
      const child = execFile(program, parameters, { env: environment }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
      outputs.watch(child, [program, ...parameters]);
    });
  }
});

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
