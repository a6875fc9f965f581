import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { fileOf, root } from '../../../docs/generate/repository.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'client/*.md'], { cwd: root }).toSorted();

/** The programs in JavaScript that other tests run. TypeScript would ask them for the types of their parameters. */
const runElsewhere = [
  'docs/affiliates.md js',
  'docs/billing.md js',
  'docs/buyers.md js',
  'docs/receipts.md js',
  'docs/webhooks.md js',
  'docs/updates.md js 0',
  'docs/updates.md js 2',
];

/** The document of a sample, its language, and its place among those of that language. */
type Sample = `${string} ${'ts' | 'js'} ${number}`;

const started = `import { startLatchkey } from 'latchkey/testing';\nconst latchkey = await startLatchkey();\n`;

/** The code that the text around a sample has introduced. */
const before: Readonly<Record<Sample, string>> = {
  'CONTRIBUTING.md ts 0': `
    import { command } from '#checkout/adapters/administration/declaration/command.ts';
    import { subject } from '#checkout/adapters/administration/declaration/member.ts';
    import { shownEndpoint } from '#checkout/core/webhook/webhook-endpoint.ts';\n`,
  'README.md ts 0': `import assert from 'node:assert/strict';\n`,
  'docs/tiers.md js 2': `
    import type { Device, DeviceGate, LatchkeyClient } from 'latchkey/client';
    declare const client: LatchkeyClient;
    declare const gate: DeviceGate;
    declare const licenseKey: string;
    declare function ask(question: string, devices: readonly Device[]): Promise<Device>;\n`,
  'docs/testing.md ts 1': started,
  'docs/testing.md ts 3': started,
  'docs/trials.md js 0': `
    import { readFileSync } from 'node:fs';
    import { LatchkeyClient, licenseGate } from 'latchkey/client';
    import { device, storage } from './machine.ts';
    const client = new LatchkeyClient({ baseUrl: 'https://licenses.example' });
    const keys = JSON.parse(readFileSync('keys.json', 'utf8'));
    declare const licenseKey: string | undefined;
    declare function show(text: string): void;
    declare function offerToBuy(): void;\n`,
  'docs/updates.md js 1': `
    import { readFileSync } from 'node:fs';
    import { LatchkeyClient, licenseGate } from 'latchkey/client';
    import { storage } from './machine.ts';
    const client = new LatchkeyClient({ baseUrl: 'https://licenses.example' });
    const keys = JSON.parse(readFileSync('keys.json', 'utf8'));\n`,
  'docs/tiers.md js 0': `
    import { gate, licenseKey } from './license.ts';
    declare function showSignOn(): void;\n`,
  'docs/tiers.md js 1': `
    import { readFileSync } from 'node:fs';
    import { LatchkeyClient, licenseGate } from 'latchkey/client';
    import { storage } from './machine.ts';
    const client = new LatchkeyClient({ baseUrl: 'https://licenses.example' });
    const keys = JSON.parse(readFileSync('keys.json', 'utf8'));
    const storageOf = (name: string) => ({ ...storage, name });
    declare const licenseKey: string;\n`,
};

/** The declarations of a package that only the samples use. */
const packages = `
  declare module 'electron' {
    export const app: { whenReady(): Promise<void>; getPath(name: 'appData'): string };
    export const ipcMain: { handle(name: string, handler: (event: unknown, typed?: string) => unknown): void };
    export const net: { fetch(url: string, init?: RequestInit): Promise<Response> };
    export const safeStorage: { encryptString(text: string): Buffer; decryptString(bytes: Buffer): string };
  }\n`;

/** The files that the samples import. */
const files: Readonly<Record<string, string>> = {
  'keys.json': '{"keys":[{"kty":"EC","crv":"P-256","x":"","y":"","kid":""}]}',
  'license.ts': `
    import type { LicenseGate } from 'latchkey/client';
    export declare const gate: LicenseGate;
    export declare const licenseKey: string;`,
  'machine.ts': `
    import type { GateDevice, ReceiptStorage } from 'latchkey/client';
    export declare const device: GateDevice;
    export declare const storage: ReceiptStorage;`,
};

/** The files of the checkout that the samples import. They are not checked here: `npm run types` does that. */
const imported = '{adapters,app,client,core,testing}/**/*.{ts,js,json}';
const unchecked = '// @ts-nocheck\n';

/** Those of the checkout, without what a program of a merchant need not be. */
const options = {
  noPropertyAccessFromIndexSignature: false,
  noUnusedLocals: false,
  types: ['node'],
  paths: {
    '#checkout/*': ['./checkout/*'],
    'latchkey/admin': ['./checkout/client/admin/index.ts'],
    'latchkey/client': ['./checkout/client/index.ts'],
    'latchkey-client': ['./checkout/client/index.ts'],
    'latchkey/testing': ['./checkout/testing/index.ts'],
  },
};

describe('the samples of the documents', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await symlink(fileOf('node_modules'), join(folder, 'node_modules'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('compile in strict TypeScript', async () => {
    const samples: string[] = [];
    for (const document of documents) samples.push(...(await write(document)));
    expect(samples).to.include.members(Object.keys(before));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await mkdir(join(folder, 'packages'));
    await writeFile(join(folder, 'packages/packages.d.ts'), packages);
    await copyImported();
    const which = { include: ['*/*.ts'], exclude: ['checkout'] };
    const settings = { extends: fileOf('tsconfig.json'), compilerOptions: options, ...which };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    expect(await compile()).to.equal('');
  });

  /** Writes the samples of a document into a folder of their own, and returns which they are. */
  async function write(document: string): Promise<readonly string[]> {
    const markdown = await readMarkdown(document);
    const samples = (['ts', 'js'] as const)
      .flatMap((language) =>
        markdown.codeBlocks(language).map((text, index) => [`${document} ${language} ${index}`, text] as const),
      )
      .filter(([sample]) => !runElsewhere.some((beginning) => sample.startsWith(beginning)));
    if (samples.length === 0) return [];
    const own = join(folder, document.replaceAll(/\W/g, '-'));
    await mkdir(own);
    for (const [name, text] of Object.entries(files)) await writeFile(join(own, name), text);
    for (const [index, [sample, text]] of samples.entries())
      await writeFile(join(own, `sample-${index}.ts`), `${before[sample] ?? ''}${text}\nexport {};\n`);
    return samples.map(([sample]) => sample);
  }

  async function copyImported(): Promise<void> {
    for (const path of globSync(imported, { cwd: root, exclude: ['client/dist/**'] })) {
      const text = await readFile(fileOf(path), 'utf8');
      await mkdir(join(folder, 'checkout', dirname(path)), { recursive: true });
      await writeFile(join(folder, 'checkout', path), path.endsWith('.json') ? text : unchecked + text);
    }
    await copyFile(fileOf('package.json'), join(folder, 'checkout/package.json'));
  }

  /** The errors that the compiler finds. It has one checker, because several would each resolve the same types. */
  async function compile(): Promise<string> {
    const tsc = fileOf('node_modules/.bin/tsc');
    return promisify(execFile)(tsc, ['-p', folder, '--checkers', '1'], { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
  }
});
