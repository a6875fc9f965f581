import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { programPath } from '../../support/processes/command-process.ts';
import { startNode } from '../../support/processes/node-process.ts';

describe('the demo', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs the demo until it serves, and then stops it; returns its exit code and its log. */
  async function run(whileServing: () => Promise<void>): Promise<readonly [number, string]> {
    const env = { ...process.env, TMPDIR: folder };
    const child = startNode([programPath, 'demo', '--json', '--port', '0', '--log-format', 'json'], { env });
    const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
    await once(createInterface({ input: child.stdout }), 'line');
    await whileServing();
    child.kill('SIGTERM');
    const [[code], log] = await ended;
    return [code, log];
  }

  it('removes its store at the end', async () => {
    const [code] = await run(async () => void expect(await readdir(folder)).to.have.length(1));
    expect([code, await readdir(folder)]).to.deep.equal([0, []]);
  });

  it('ends cleanly if its store has been removed', async () => {
    const [code, log] = await run(async () => {
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    });
    expect(code).to.equal(0);
    expect(log).not.to.match(/"level":"(error|fatal)"/);
  });

  it('says where it cannot write, and what to do', async () => {
    const none = join(folder, 'none');
    const child = startNode([programPath, 'demo', '--port', '0'], { env: { ...process.env, TMPDIR: none } });
    const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.equal(
      `The demo cannot write to ${none}, where it keeps its store: set TMPDIR to a folder that is writable.\n`,
    );
  });
});
