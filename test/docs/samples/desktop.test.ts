import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startLatchkey, type Granted, type Latchkey } from '../../../testing/index.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { runModule } from '../../support/documents/run-module.ts';

/** The part of Electron that the program uses. Text is encrypted by reversing it. */
const electron = `
  const turned = (text) => [...text].toReversed().join('');
  export const app = { whenReady: async () => {}, getPath: () => process.env.LOCALAPPDATA };
  export const handlers = new Map();
  export const ipcMain = { handle: (name, handler) => handlers.set(name, handler) };
  export const net = { fetch };
  export const safeStorage = {
    encryptString: (text) => Buffer.from(turned(text)),
    decryptString: (bytes) => turned(bytes.toString()),
  };\n`;

/** Checks twice: with the key that was typed, if one was, and with the one that is kept. */
const twice = `
  import { handlers } from 'electron';
  for (const typed of [process.argv[2], undefined]) {
    const { verdict, reason } = await handlers.get('license:check')(null, typed);
    console.log(verdict, reason);
  }\n`;

describe('docs/desktop.md', () => {
  let latchkey: Latchkey;
  let granted: Granted;
  let keys: string;
  let folder: string;

  before(async () => {
    latchkey = await startLatchkey();
    keys = await (await fetch(`${latchkey.url}/.well-known/jwks.json`)).text();
    granted = await latchkey.grant({ productId: 'sketchpad', deviceLimit: 1 });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await mkdir(join(folder, 'node_modules/electron'), { recursive: true });
    await writeFile(join(folder, 'node_modules/electron/index.js'), electron);
    await writeFile(join(folder, 'node_modules/electron/package.json'), '{"type":"module","exports":"./index.js"}');
  });
  afterEach(() => rm(folder, { recursive: true }));
  after(() => latchkey.stop());

  /** Starts the program on a machine with a folder for its data, as of a user. */
  async function run(machine: string, url: string, ...typed: readonly string[]): Promise<string> {
    const [sample = ''] = (await readMarkdown('docs/desktop.md')).codeBlocks('ts');
    // A busy machine may need more than the gate's three seconds.
    const patient = sample.replace('https://licenses.example', url).replace('device: { id },', '$& timeout: 60_000,');
    const env = { LOCALAPPDATA: join(folder, machine) };
    return runModule(`${patient}${twice}`, { cwd: folder, env, args: typed, files: { 'keys.json': keys } });
  }

  it('shows a main process that keeps the key out of sight, and runs through an outage', async () => {
    const dead = 'http://127.0.0.1:1';
    expect(await run('one', latchkey.url)).to.equal('invalid no_key\ninvalid no_key\n');
    expect(await run('one', latchkey.url, granted.licenseKey)).to.equal('valid null\nvalid null\n');
    expect(await run('one', dead)).to.equal('valid null\nvalid null\n');
    expect(await readdir(join(folder, 'one/Sketchpad'))).to.have.members(['device', 'key', 'receipt']);
    expect(await run('two', latchkey.url, granted.licenseKey)).to.equal('invalid device_limit\n'.repeat(2));
    expect(await run('two', dead)).to.equal('unavailable null\nunavailable null\n');
  });
});
