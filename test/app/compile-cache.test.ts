import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { release } from '../../app/service/release.ts';
import { programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';

/** Preloaded to put a program in the place of Latchkey's that prints the release alone, because the entry has the cache. */
const programInPlace = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const program = "data:text/javascript,export const runProgram = () => console.log('${release}')";
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === './program.ts' ? { url: program, shortCircuit: true } : next(specifier, context),
  });`)}`;
const empty = `--import=${programInPlace}`;

describe('the compile cache', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  /** Runs the program with the environment of a user with this home folder, and expects it to work. */
  async function runAs(environment: NodeJS.ProcessEnv, options: readonly string[] = [empty]): Promise<void> {
    const { XDG_CACHE_HOME: _, NODE_COMPILE_CACHE: __, HOME: ___, ...env } = process.env;
    const args = [...options, programPath, '--version'];
    const child = startNode(args, { env: { ...env, ...environment }, cwd: home });
    const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    expect([code, stdout, stderr]).to.deep.equal([0, `${release}\n`, '']);
  }

  it("is in the user's own folder for caches", async () => {
    await runAs({ HOME: home }, []);
    expect(await readdir(join(home, '.cache', 'latchkey'))).to.have.length(1);
    await runAs({ HOME: home, XDG_CACHE_HOME: join(home, 'other') });
    expect(await readdir(join(home, 'other', 'latchkey'))).to.have.length(1);
  });

  it('is where NODE_COMPILE_CACHE says, and nowhere with NODE_DISABLE_COMPILE_CACHE', async () => {
    await runAs({ HOME: home, NODE_COMPILE_CACHE: join(home, 'chosen') });
    expect(await readdir(home)).to.deep.equal(['chosen']);
    await runAs({ HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(await readdir(home)).to.deep.equal(['chosen']);
  });

  it('is left out where there is no place for it', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    await runAs({ HOME: file }, []);
    await runAs({ HOME: '' });
    await runAs({ HOME: 'relative' });
    await runAs({ HOME: join(home, 'none') });
    await runAs({ HOME: '/dev/null' });
    expect(await readdir(home)).to.deep.equal(['file']);
  });
});
