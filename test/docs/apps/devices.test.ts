import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { aLicense, aSubscription, day, later, noon } from '../../support/builders.ts';
import { inCheckout } from '../../support/documents/in-checkout.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { runModule } from '../../support/documents/run-module.ts';
import { runScript } from '../../support/documents/shell.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { memory } from '../../support/stores/stores.ts';

const licenseKey = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(licenseKey, digest) });

/** A machine with a folder for each device. */
const machine = `
  import { readFile, writeFile } from 'node:fs/promises';
  const file = \`license-of-\${process.env.DEVICE_ID}.json\`;
  export const device = { id: process.env.DEVICE_ID };
  export const storage = { load: () => readFile(file, 'utf8'), save: (text) => writeFile(file, text) };\n`;

const settings = (id: string, url: string, now: Date): NodeJS.ProcessEnv => ({
  DEVICE_ID: id,
  LATCHKEY_URL: url,
  NOW: now.toISOString(),
});

describe('docs/tiers.md, about devices', () => {
  const service = freshService(memory);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const { body } = await service().send('/.well-known/jwks.json');
    await writeFile(join(folder, 'keys.json'), JSON.stringify(body));
    await writeFile(join(folder, 'machine.ts'), machine);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('shows a gate of at most ten lines that lets one device run, and no second one, until the license ends', async () => {
    const blocks = (await readMarkdown('docs/tiers.md')).codeBlocks('ts');
    const gate = blocks.find((block) => block.includes('This device has a seat.')) ?? '';
    expect(gate.trim().split('\n').length).to.be.at.most(10);
    await service().grant(aSubscription({ productId: 'sketchpad', license, deviceLimit: 1 }));
    // A busy machine may need more than the gate's three seconds.
    const options = 'storage, device, timeout: 60_000, now: () => new Date(process.env.NOW)';
    const patient = gate
      .replace('storage, device }', `${options} }`)
      .replace("'https://licenses.example'", 'process.env.LATCHKEY_URL');
    const keys = await readFile(join(folder, 'keys.json'), 'utf8');
    const files = { 'machine.ts': machine, 'keys.json': keys };
    const run = (id: string, url = service().url, now = noon): Promise<string> =>
      runModule(patient, { cwd: folder, env: settings(id, url, now), args: [licenseKey], files });
    // Once as a process, which a gate must not keep running.
    await writeFile(join(folder, 'app.ts'), inCheckout(patient));
    const env = { ...process.env, ...settings('machine-1', service().url, noon) };
    const alone = await runScript(`'${process.execPath}' --no-warnings app.ts ${licenseKey}`, { cwd: folder, env });
    expect(alone).to.equal('This device has a seat.\n');
    expect(await run('machine-2')).to.equal('invalid device_limit\n');
    expect(await run('machine-1')).to.equal('This device has a seat.\n');
    expect(await run('machine-1', 'http://127.0.0.1:1')).to.equal('This device has a seat.\n');
    expect(await run('machine-1', 'http://127.0.0.1:1', later(120 * day))).to.equal('invalid expired\n');
  });
});
