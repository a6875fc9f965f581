import { existsSync, fstatSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { processShell } from '../../app/shell.ts';
import { jsonError, type Run } from '../support/cli/command-line.ts';
import { runProgram as run, runCommand } from '../support/cli/run-command.ts';
import { startCommandProcess } from '../support/processes/command-process.ts';
import { reachablePlace, withoutRights } from '../support/processes/without-rights.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { temporaryFile } from '../support/stores/sqlite-file.ts';
import { openAt } from '../support/stores/stores.ts';

describe('the program', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('names the user that runs it as the one who makes its changes', () => {
    const { by } = processShell(() => new AbortController().signal).newCall();
    expect(by).to.equal(`command:${userInfo().username}`);
  });

  it('is the same in a process of its own, where it logs a change with the user that has made it', async () => {
    const store = `sqlite:${join(folder, 'latchkey.db')}`;
    const added = await startCommandProcess('product add --id p1 --name One', store, []).run;
    const lines = added.stderr.trim().split('\n');
    const changes = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'changed');
    const by = `command:${userInfo().username}`;
    expect(changes.map(({ command, by: actor }) => [command, actor])).to.deep.equal([['product add', by]]);
    const refused = await startCommandProcess('entitlement import - --json', store, ['{}\n']).run;
    expect(await runCommand('entitlement import - --json', store, { input: ['{}\n'] })).to.deep.equal(refused);
    expect(refused).to.include({ exitCode: 1 });
  });

  it('creates a store for the first product, and opens it again', async () => {
    const store = ['--store', `sqlite:${join(folder, 'new', 'latchkey.db')}`, '--json'];
    const added = await run([...'product add --id p1 --name One'.split(' '), ...store]);
    expect(added.exitCode).to.equal(0);
    const listed = await run(['product', 'list', ...store]);
    expect(JSON.parse(listed.stdout)).to.deep.equal([JSON.parse(added.stdout)]);
  });

  it('announces an end that is near before the change of a command, by its own setting', async () => {
    const url = `sqlite:${join(folder, 'latchkey.db')}`;
    const command = (line: string, ...more: readonly string[]): Promise<Run> =>
      run([...line.split(' '), ...more, '--store', url, '--json']);
    await command('product add --id p1 --name One');
    const terms = '--product p1 --tier pro --interval day --id';
    for (const id of ['e1', 'e2']) await command(`entitlement grant ${terms} ${id} --tier-name Pro`);
    await command('entitlement suspend e1');
    await run(`entitlement suspend e2 --store ${url}`.split(' '), { env: { ENDING_SOON: '0s' } });
    const store = await openAt(url);
    const events = (await eventsIn(store, 'p1')).map(({ event }) => `${event.entitlement.id} ${event.type}`);
    await store.close();
    expect(events).to.deep.equal([
      'e1 entitlement.granted',
      'e2 entitlement.granted',
      'e1 entitlement.ending_soon',
      'e1 entitlement.suspended',
      'e2 entitlement.suspended',
    ]);
  });

  it('names the path of a missing store, and creates nothing', async () => {
    const path = join(folder, 'none', 'latchkey.db');
    const { exitCode, stdout, stderr } = await run(['product', 'list', '--store', `sqlite:${path}`]);
    expect([exitCode, stdout]).to.deep.equal([1, '']);
    expect(stderr)
      .to.match(/^There is no store at .*\.\n$/)
      .and.to.contain(path);
    expect(existsSync(join(folder, 'none'))).to.equal(false);
  });

  const listing =
    '{"slug":"s","name":"S","blurb":"","category":"A","commissionPercent":1,"compensationType":"both","compensationLabel":"x","storefrontCount":0}';
  const entitlement = '{"id":"e1","productId":"p1","tierId":"pro","tierName":"Pro","billingInterval":"month"}';
  for (const [subject, line] of Object.entries({ listing, entitlement })) {
    it(`uses an empty store in a dry run if the store does not exist, and creates nothing: ${subject} import`, async () => {
      const path = join(folder, 'none', 'latchkey.db');
      const args = [subject, 'import', '-', '--json', '--store', `sqlite:${path}`];
      const tried = await run([...args, '--dry-run'], { input: [`${line}\n{}\n`] });
      expect(existsSync(join(folder, 'none'))).to.equal(false);
      expect(tried).to.deep.equal(await run(args, { input: [`${line}\n{}\n`] }));
      expect([tried.exitCode, existsSync(path)]).to.deep.equal([1, true]);
    });
  }

  it('reports a store that cannot be opened in a dry run', async () => {
    const path = join(folder, 'latchkey.db');
    await writeFile(path, 'This is no store, but as long as one could be.'.repeat(10));
    const { exitCode, stdout, stderr } = await run([
      'entitlement',
      'import',
      '-',
      '--dry-run',
      '--store',
      `sqlite:${path}`,
    ]);
    expect([exitCode, stdout, stderr]).to.deep.equal([1, '', `${path} is not a Latchkey store.\n`]);
  });

  it('reads every line of a file', async () => {
    const file = join(folder, 'entitlements.jsonl');
    await writeFile(file, `${'{}'.padEnd(60)}\n`.repeat(2500));
    const store = ['--store', `sqlite:${join(folder, 'latchkey.db')}`];
    const { exitCode, stderr } = await run(['entitlement', 'import', file, '--json', ...store]);
    expect([exitCode, stderr]).to.deep.equal([1, jsonError('lines_refused', '2500 of 2500 lines were rejected.')]);
  });

  it('leaves no file open after a command that fails before it reads it', async () => {
    const file = join(folder, 'entitlements.jsonl');
    await writeFile(file, '{}\n');
    expect((await run(['entitlement', 'import', file, '--store', 'memory:'])).exitCode).to.equal(1);
    // Node opens the folder itself meanwhile.
    const open = readdirSync('/dev/fd').filter((fd) => existsSync(`/dev/fd/${fd}`));
    expect(open.map((fd) => fstatSync(Number(fd)).ino)).not.to.include(statSync(file).ino);
  });

  for (const line of ['product list', 'entitlement import - --dry-run']) {
    it(`refuses a store in memory: ${line}`, async () => {
      expect(await run([...line.split(' '), '--store', 'memory:'])).to.deep.equal({
        exitCode: 1,
        stdout: '',
        stderr: 'A store in memory ends with its process: only serve and demo can use one.\n',
      });
    });
  }
});

describe('the program, without rights', () => {
  const path = temporaryFile(reachablePlace());

  it('refuses an unreadable file before it opens a store', async () => {
    const [folder, file] = [path('.'), path('entitlements.jsonl')];
    await writeFile(file, '{}', { mode: 0o000 });
    await writeFile(path('readable.jsonl'), '{}', { mode: 0o644 });
    await chmod(folder, 0o755);
    const line = (name: string): readonly string[] => ['entitlement', 'import', name, '--store', `sqlite:${path()}`];
    for (const name of [file, folder, path('none.jsonl'), join(file, 'none.jsonl')]) {
      expect(await withoutRights(() => run(line(name)))).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: 'The file must exist and be readable.\n',
      });
    }
    expect((await withoutRights(() => run(line(path('readable.jsonl'))))).stderr).to.contain(`The store at ${path()}`);
    expect(existsSync(path())).to.equal(false);
  });
});
