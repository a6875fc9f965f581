import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import { betweenFolders, codeOf, cyclesIn, importsOf, relativeImports } from './support/imports.ts';

const root = join(import.meta.dirname, '..');

const maxFilesPerFolder = 15;

/** Expressions that core must not contain: they read a clock, randomness or the environment. */
const impure =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bprocess\.\w|\bMath\.random\b|\brandomUUID\b|\bperformance\b|\bglobalThis\b/;

/** The files that loop over stores, each with what no contract can say. A new one belongs into a contract, or here. */
const loopsOverStores: Readonly<Record<string, string>> = {
  'test/adapters/catalog-index/catalog-index.test.ts': 'runs a contract, over what each store says of its changes',
  'test/adapters/http/mutations/mutations.test.ts': 'sends to each driver what nobody thought of',
  'test/adapters/http/tenant/operations.test.ts': 'has what limits a caller read objects and rows',
  'test/adapters/sqlite/catalog/listing-deletions.test.ts': 'is about a limit of these two alone',
  'test/adapters/stripe/look/affiliate-histories.test.ts': 'kills processes between the writes of each store',
  'test/adapters/web/processes.test.ts': 'has processes follow the catalog of another',
  'test/app/server/receipt-rotation.test.ts': 'has two services read the signing keys of one store',
  'test/app/server/stripe-processes.test.ts': 'has two servers take the events of Stripe at once',
  'test/app/service/container.test.ts': 'wires each store',
  'test/core/tenant/limited-ports.test.ts': 'has what limits a caller read objects and rows',
  'test/core/tenant/limited-streams.test.ts': 'has what limits a caller read objects and rows',
  'test/core/tenant/limited-writes.test.ts': 'has what limits a caller read objects and rows',
  'test/core/tenant/use-cases.test.ts': 'has what limits a caller read objects and rows',
  'test/crash/buyers.test.ts': 'kills processes at their writes',
  'test/crash/mail.test.ts': 'kills processes at their writes',
  'test/crash/signing-keys.test.ts': 'kills processes at their writes',
  'test/crash/stripe.test.ts': 'kills processes at their writes',
  'test/crash/webhooks.test.ts': 'kills processes at their writes',
  'test/crash/workers.test.ts': 'kills processes at their writes',
};

/** A list of stores that is read, or one that is written out. */
const loopOverStores =
  /(?<![\w/.-])(?:stores|durableStores|twoStores)\b\s*(?:\)|\.\w)|\bof \[(?:memory|sqlite|mongo)\b/;

describe('the architecture', () => {
  const folders = '{core,adapters,app,client,testing,bench,build,docs}/**/*.ts';
  const sources = globSync(folders, { cwd: root, exclude: ['client/dist/**'] }).toSorted();
  const imports = new Map(sources.map((file) => [file, relativeImports(file, readFileSync(join(root, file), 'utf8'))]));

  it('is kept by every source', () => {
    const violations = sources.flatMap((file) => violationsOf(file, readFileSync(join(root, file), 'utf8')));
    expect(violations).to.deep.equal([]);
  });

  it('is checked in every layer', () => {
    const layers = new Set(sources.map((file) => layerOf(file)));
    expect([...layers]).to.include.members(['app', 'core', 'adapters/memory', 'adapters/sqlite']);
  });

  it('has no cycle of imports, those of types included', () => {
    expect(cyclesIn(imports)).to.deep.equal([]);
  });

  it('would show a cycle of imports', () => {
    const forgedImports = new Map([
      ['core/a.ts', relativeImports('core/a.ts', `import type { B } from './b/b.ts';\nimport { d } from './d.ts';`)],
      ['core/b/b.ts', relativeImports('core/b/b.ts', `import { c } from '../c.ts';`)],
      ['core/c.ts', relativeImports('core/c.ts', `export { a } from './a.ts';`)],
      ['core/d.ts', []],
    ]);
    expect(cyclesIn(forgedImports)).to.deep.equal(['core/a.ts > core/b/b.ts > core/c.ts > core/a.ts']);
  });

  it('has no cycle of imports between folders', () => {
    expect(cyclesIn(betweenFolders(imports))).to.deep.equal([]);
  });

  it('would show a cycle between folders whose files have none', () => {
    const forgedImports = new Map([
      ['adapters/x/engine/store.ts', ['adapters/x/engine/pages.ts', 'adapters/x/key/keys.ts']],
      ['adapters/x/engine/pages.ts', []],
      ['adapters/x/key/keys.ts', ['core/key/app/app-key.ts']],
      ['adapters/x/key/ports.ts', ['adapters/x/engine/store.ts']],
      ['core/key/app/app-key.ts', []],
    ]);
    expect(cyclesIn(forgedImports)).to.deep.equal([]);
    expect(cyclesIn(betweenFolders(forgedImports))).to.deep.equal([
      'adapters/x/engine > adapters/x/key > adapters/x/engine',
    ]);
  });

  it('has at most fifteen files in a folder', () => {
    const tests = globSync('test/**/*.ts', { cwd: root });
    expect(tests).to.not.deep.equal([]);
    expect(largeFolders([...sources, ...tests])).to.deep.equal([]);
  });

  it('would show a folder with sixteen files', () => {
    const files = Array.from({ length: 16 }, (_, index) => `core/a/${index}.ts`);
    expect(largeFolders([...files.slice(1), 'core/a/b/16.ts'])).to.deep.equal([]);
    expect(largeFolders(files)).to.deep.equal(['core/a has 16 files']);
  });

  it('loops over stores in contracts and in the files that say why they do', () => {
    const tests = globSync('test/**/*.ts', {
      cwd: root,
      exclude: ['test/contracts/**', 'test/architecture.test.ts'],
    }).toSorted();
    const loops = tests.filter((file) => doesLoopOverStores(readFileSync(join(root, file), 'utf8')));
    expect(loops).to.deep.equal(Object.keys(loopsOverStores));
  });

  it('would show a new loop over stores', () => {
    const loops = ['for (const { open } of stores) {', 'durableStores.map(', 'for (const one of [sqlite, mongo]) {'];
    expect(loops.map(doesLoopOverStores)).to.deep.equal([true, true, true]);
    const others = ['// of stores)', 'freshStore(memory.open);', "import { stores } from './stores.ts';"];
    expect(others.map(doesLoopOverStores)).to.deep.equal([false, false, false]);
  });

  const forged: readonly (readonly [string, string, string])[] = [
    ['core/a.ts', `import { z } from 'zod';`, 'core/a.ts imports zod'],
    ['core/a.ts', `import type { Server } from 'node:http';`, 'core/a.ts imports node:http'],
    ['core/a.ts', `import '../adapters/http/x.ts';`, 'core/a.ts imports ../adapters/http/x.ts'],
    ['core/b/a.ts', `export * from "../../app/main.ts";`, 'core/b/a.ts imports ../../app/main.ts'],
    ['core/a.ts', `const x = await import('pino');`, 'core/a.ts imports pino'],
    ['core/a.ts', `import {\n  join,\n} from 'node:path';`, 'core/a.ts imports node:path'],
    ['core/a.ts', 'const now = new Date();', 'core/a.ts is not pure'],
    ['core/a.ts', 'const now = Date.now();', 'core/a.ts is not pure'],
    ['core/a.ts', 'const id = crypto.randomUUID();', 'core/a.ts is not pure'],
    ['core/a.ts', 'const luck = Math.random();', 'core/a.ts is not pure'],
    ['core/a.ts', 'const { PORT } = process.env;', 'core/a.ts is not pure'],
    ['adapters/a/b.ts', `import { x } from '../c/d.ts';`, 'adapters/a/b.ts imports ../c/d.ts'],
    ['adapters/a/b/c.ts', `import { x } from '../../d/e.ts';`, 'adapters/a/b/c.ts imports ../../d/e.ts'],
    [
      'adapters/mongo/b.ts',
      `import { x } from '../administration/c.ts';`,
      'adapters/mongo/b.ts imports ../administration/c.ts',
    ],
    [
      'adapters/administration/b.ts',
      `import { x } from '../http/c.ts';`,
      'adapters/administration/b.ts imports ../http/c.ts',
    ],
    ['adapters/a/b.ts', `import { x } from '../../app/main.ts';`, 'adapters/a/b.ts imports ../../app/main.ts'],
    [
      'adapters/a/b.ts',
      `import { x } from '../../test/support/y.ts';`,
      'adapters/a/b.ts imports ../../test/support/y.ts',
    ],
    ['adapters/a/b.ts', `import { Container } from 'inversify';`, 'adapters/a/b.ts imports inversify'],
    ['adapters/a/b.ts', `import 'reflect-metadata/lite';`, 'adapters/a/b.ts imports reflect-metadata/lite'],
    ['app/main.ts', `import { x } from '../test/support/y.ts';`, 'app/main.ts imports ../test/support/y.ts'],
    ['app/main.ts', `import { x } from '../docs/generate/y.ts';`, 'app/main.ts imports ../docs/generate/y.ts'],
    ['docs/a/b.ts', `import { x } from '../../test/support/y.ts';`, 'docs/a/b.ts imports ../../test/support/y.ts'],
    ['client/a.ts', `import { join } from 'node:path';`, 'client/a.ts imports node:path'],
    ['client/a.ts', `import type { X } from '../core/x.ts';`, 'client/a.ts imports ../core/x.ts'],
    ['app/a.ts', `import { X } from '../client/index.ts';`, 'app/a.ts imports ../client/index.ts'],
    ['app/a.ts', `import { X } from '../testing/start.ts';`, 'app/a.ts imports ../testing/start.ts'],
    ['app/demo/a.ts', `import { X } from '../../testing/start.ts';`, 'app/demo/a.ts imports ../../testing/start.ts'],
    ['testing/a.ts', `import { X } from '../test/support/y.ts';`, 'testing/a.ts imports ../test/support/y.ts'],
    ['testing/a.ts', `import { Container } from 'inversify';`, 'testing/a.ts imports inversify'],
  ];
  for (const [file, source, violation] of forged) {
    it(`is broken where ${violation}: ${source.replaceAll(/\s+/g, ' ')}`, () => {
      expect(violationsOf(file, source)).to.deep.equal([violation]);
    });
  }

  const allowed: readonly (readonly [string, string])[] = [
    ['core/a/b.ts', `import { x } from './c.ts';\nimport { y } from '../d/e.ts';\nconst at = new Date(now.getTime());`],
    [
      'adapters/a/b.ts',
      `import { x } from '../../core/c.ts';\nimport { y } from './d.ts';\nimport 'pino';\nDate.now();`,
    ],
    ['adapters/a/b/c.ts', `import { x } from '../d.ts';\nimport { y } from '../../../core/e.ts';`],
    ['adapters/web/a/b.ts', `import { x } from '../../administration/c.ts';`],
    ['app/a.ts', `import { Container } from 'inversify';\nimport { x } from '../adapters/b/c.ts';`],
    ['testing/a.ts', `import { X } from '../client/index.ts';\nimport { x } from '../app/b/c.ts';`],
    ['core/a.ts', "/** Never asks `Date.now()`, nor imports it from 'node:fs'. */\n// process.env"],
  ];
  for (const [file, source] of allowed) {
    it(`is kept where ${file} is: ${source.replaceAll(/\s+/g, ' ')}`, () => {
      expect(violationsOf(file, source)).to.deep.equal([]);
    });
  }
});

/** Returns a message for each rule that a source breaks. */
function violationsOf(file: string, source: string): readonly string[] {
  const code = codeOf(source);
  const violations = importsOf(code)
    .filter((specifier) => !mayImport(file, specifier))
    .map((specifier) => `${file} imports ${specifier}`);
  if (layerOf(file) === 'core' && impure.test(code)) violations.push(`${file} is not pure`);
  return violations;
}

function doesLoopOverStores(source: string): boolean {
  const code = codeOf(source).replaceAll(/^import .*$/gm, '');
  return loopOverStores.test(code);
}

function largeFolders(files: readonly string[]): readonly string[] {
  const folders = [...Map.groupBy(files, (file) => posix.dirname(file))];
  return folders
    .filter(([, own]) => own.length > maxFilesPerFolder)
    .map(([folder, own]) => `${folder} has ${own.length} files`);
}

function mayImport(file: string, specifier: string): boolean {
  const from = layerOf(file);
  const isAlone = from === 'core' || from === 'client';
  if (!specifier.startsWith('.')) return !isAlone && (from === 'app' || !isContainer(specifier));
  const to = layerOf(posix.join(posix.dirname(file), specifier));
  if (from === 'client' || from === 'build') return to === from;
  const isProgram = ['app', 'core'].includes(to) || to.startsWith('adapters/');
  if (from === 'testing') return isProgram || to === 'client' || to === from;
  // The demo has no account at Stripe.
  if (file.startsWith('app/demo/') && /(^|\/)testing\/stripe\//.test(specifier)) return true;
  if (from === 'app') return isProgram;
  if (from === 'bench') return to !== 'test';
  if (from === 'docs') return to !== 'test' && to !== 'bench';
  // Each command of the administrator is declared once, for the three that offer it.
  if (to === 'adapters/administration' && offersCommands.has(from)) return true;
  return to === from || to === 'core';
}

const offersCommands: ReadonlySet<string> = new Set(['adapters/http', 'adapters/cli', 'adapters/web']);

/** `adapters/` and one technology, otherwise the folder at the root. */
function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'adapters' ? `adapters/${second}` : top;
}

function isContainer(specifier: string): boolean {
  return /^(@inversifyjs|inversify|reflect-metadata)(\/|$)/.test(specifier);
}
