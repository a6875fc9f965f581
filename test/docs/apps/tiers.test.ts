import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LatchkeyAdmin } from '../../../client/admin/index.ts';
import { fileOf } from '../../../docs/generate/repository.ts';
import { startLatchkey, type Latchkey } from '../../../testing/index.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { runModule } from '../../support/documents/run-module.ts';

/** The gate of an app that keeps its receipt in a file. */
const license = `
  import { readFile, writeFile } from 'node:fs/promises';
  import { LatchkeyClient, licenseGate } from 'latchkey/client';

  export const licenseKey = process.env.LICENSE_KEY;
  export const gate = licenseGate({
    client: new LatchkeyClient({ baseUrl: process.env.LATCHKEY_URL }),
    keys: JSON.parse(process.env.KEYS),
    productId: 'sketchpad',
    device: { id: 'machine-1' },
    storage: { load: () => readFile('license.json', 'utf8'), save: (text) => writeFile('license.json', text) },
    timeout: 60_000,
    ...(process.env.NOW && { now: () => new Date(process.env.NOW) }),
  });`;

/** The code of the app that the first sample needs. */
const signOn = `
  import { gate, licenseKey } from './license.ts';
  const showSignOn = () => console.log('Sign-on is on.');
`;

/** The code of the app that the sample of a bundle needs. */
const bundle = `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { LatchkeyClient, licenseGate } from 'latchkey/client';
  const client = new LatchkeyClient({ baseUrl: process.env.LATCHKEY_URL });
  const keys = JSON.parse(process.env.KEYS);
  const licenseKey = process.env.LICENSE_KEY;
  const storageOf = (name) => ({
    load: () => (existsSync(name) ? readFileSync(name, 'utf8') : null),
    save: (text) => writeFileSync(name, text),
  });
`;

/** The service is down: for a day, and for longer than a license is valid. */
const soon = { LATCHKEY_URL: 'http://127.0.0.1:1' };
const late = { ...soon, NOW: new Date(Date.now() + 120 * 86_400_000).toISOString() };

/** Prints what the gate answers, also once the tier has changed and once the license has ended. */
const asked = `
  import { LatchkeyAdmin } from 'latchkey/admin';

  const { tiers, entitlements } = new LatchkeyAdmin({
    baseUrl: process.env.ADMIN_URL,
    operatorKey: process.env.OPERATOR_KEY,
  });
  const all = async () => [
    await features.getBooleanValue('sso', true),
    await features.getNumberValue('projects', 1),
    await features.getStringValue('theme', 'light'),
    await features.getBooleanValue('beta', false),
  ];
  const print = async () => console.log(JSON.stringify(await all()));
  await print();
  await tiers.put('sketchpad', 'pro', { features: { sso: false, projects: 0, theme: '', beta: true } });
  await check();
  await print();
  await entitlements.revoke('ent_1');
  await check();
  await print();`;

describe('docs/tiers.md', () => {
  let latchkey: Latchkey;
  let folder: string;

  beforeEach(async () => {
    latchkey = await startLatchkey();
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await symlink(fileOf('node_modules'), join(folder, 'node_modules'));
  });
  afterEach(async () => {
    await latchkey.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs a program with the gate of a license that has been granted. */
  async function app(): Promise<(text: string, more?: NodeJS.ProcessEnv) => Promise<string>> {
    await latchkey.putTier({ productId: 'sketchpad', features: { sso: true, projects: 20, theme: 'dark' } });
    const { licenseKey } = await latchkey.grant({ productId: 'sketchpad', id: 'ent_1' });
    const keys = await (await fetch(`${latchkey.url}/.well-known/jwks.json`)).text();
    const env = {
      LICENSE_KEY: licenseKey,
      LATCHKEY_URL: latchkey.url,
      KEYS: keys,
      ADMIN_URL: latchkey.adminUrl,
      OPERATOR_KEY: latchkey.operatorKey,
    };
    const files = { 'license.ts': license };
    return (text, more = {}) => runModule(text, { cwd: folder, env: { ...env, ...more }, files });
  }

  it('shows an app that gives a feature for as long as its license lasts, also without the service', async () => {
    const [sample = ''] = (await readMarkdown('docs/tiers.md')).codeBlocks('js');
    const run = await app();
    const said = [await run(signOn + sample), await run(signOn + sample, soon), await run(signOn + sample, late)];
    expect(said).to.deep.equal(['Sign-on is on.\n', 'Sign-on is on.\n', '']);
  });

  it('shows an app that asks for its features by OpenFeature, also without the service', async () => {
    const [program = ''] = (await readMarkdown('docs/tiers.md')).codeBlocks('ts');
    const run = await app();
    const said = 'Sign-on is on.\nProjects: 20\n';
    expect([await run(program), await run(program, soon)]).to.deep.equal([said, said]);
    expect(await run(program, late)).to.equal('Projects: 1\n');
    const values = ['[true,20,"dark",false]', '[false,0,"",true]', '[true,1,"light",false]'];
    expect(await run(`${program}\n${asked}`)).to.equal(`${said}${values.join('\n')}\n`);
  });

  it('shows an app of a bundle that takes the key of the bundle and its own, also without the service', async () => {
    const [, sample = ''] = (await readMarkdown('docs/tiers.md')).codeBlocks('js');
    await latchkey.putTier({ productId: 'suite', id: 'all', features: { sketchpad: true, notes: true } });
    await latchkey.putTier({ productId: 'suite', id: 'writing', features: { notes: true } });
    const all = await latchkey.grant({ productId: 'suite', tierId: 'all' });
    const writing = await latchkey.grant({ productId: 'suite', tierId: 'writing', id: 'ent_2' });
    const run = await app();
    const printed = 'console.log(check.verdict, check.reason);';
    const said = async (more: NodeJS.ProcessEnv): Promise<string> => run(`${bundle}${sample}\n${printed}`, more);
    const none = 'invalid unknown\n';
    expect([await said({}), await said(soon)]).to.deep.equal(['valid null\n', 'valid null\n']);
    const ofAll = { LICENSE_KEY: all.licenseKey };
    expect([await said(ofAll), await said({ ...ofAll, ...soon })]).to.deep.equal(['valid null\n', 'valid null\n']);
    expect(await said({ LICENSE_KEY: writing.licenseKey })).to.equal(none);
    const { entitlements } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    await entitlements.changeTier('ent_2', { tierId: 'all', tierName: 'All' });
    expect(await said({ LICENSE_KEY: writing.licenseKey })).to.equal('valid null\n');
  });
});
