import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { currentSchemaVersion as to } from '../../adapters/sqlite/engine/migrate.ts';
import { oldestSchema as from } from '../../adapters/sqlite/engine/migrations/migrations.ts';
import type { Run } from '../support/cli/command-line.ts';
import { runCommand } from '../support/cli/run-command.ts';
import { startCommandProcess } from '../support/processes/command-process.ts';
import { writeOldestStore } from '../support/stores/empty-sqlite.ts';
import { temporaryFile } from '../support/stores/sqlite-file.ts';

const upgraded = 'the schema of the store was upgraded';

describe('a SQLite store with an older schema', () => {
  const path = temporaryFile();
  const run = (line: string): Promise<Run> => runCommand(line, `sqlite:${path()}`);

  beforeEach(() => writeOldestStore(path()));

  it('is refused untouched by commands that work on it, with the command that upgrades it', async () => {
    const before = readFileSync(path());
    const message = `${path()} has schema ${from}; this release needs ${to}. Run \`latchkey store migrate\` first.\n`;
    for (const line of ['product list', 'product add --id prod_1 --name One', `store backup ${path('copy.db')}`]) {
      expect(await run(line), line).to.deep.equal({ exitCode: 1, stdout: '', stderr: message });
    }
    expect(readFileSync(path())).to.deep.equal(before);
    expect(await run('store check')).to.include({ exitCode: 1, stdout: message });
  });

  it('is upgraded by `store migrate`, which logs both schemas and the time once', async () => {
    // Its log is that of its process.
    const first = await startCommandProcess('store migrate', `sqlite:${path()}`, []).run;
    expect([first.exitCode, first.stdout]).to.deep.equal([0, 'The store has the schema of this release.\n']);
    const { time, duration, ...line } = JSON.parse(first.stderr);
    expect(line).to.deep.equal({ level: 'warn', from, to, message: upgraded });
    expect([typeof time, duration >= 0]).to.deep.equal(['string', true]);
    expect(await run('store migrate')).to.deep.equal({ ...first, stderr: '' });
    expect((await run('product list')).exitCode).to.equal(0);
  });
});
