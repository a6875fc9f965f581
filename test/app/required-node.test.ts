import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { requiredNode, unsupportedNode } from '../../app/required-node.js';
import { fileOf } from '../../docs/generate/repository.ts';

describe('the Node that the service needs', () => {
  it('is that of package.json', async () => {
    const { engines }: { engines: { node: string } } = JSON.parse(await readFile(fileOf('package.json'), 'utf8'));
    expect(engines.node).to.equal(`>=${requiredNode}`);
  });

  it('is this one or a later one', () => {
    expect(unsupportedNode('latchkey')).to.equal(null);
    expect(unsupportedNode('latchkey', '24.0.0')).to.equal(null);
    expect(unsupportedNode('latchkey', '100.0.0')).to.equal(null);
  });

  const website = 'install Node from https://nodejs.org.';
  const layouts: readonly (readonly [layout: string, files: readonly string[], advice: string])[] = [
    ['a package', ['package.json'], 'Install it from https://nodejs.org.'],
    [
      'a checkout that was not installed',
      ['package.json', 'latchkey'],
      `Run npm ci in the checkout, which installs Node 24, or ${website}`,
    ],
    [
      'a checkout without the developers’ tools',
      ['package.json', 'latchkey', 'node_modules/ajv/index.js'],
      `The package that brings Node is missing, as after npm ci --omit=dev: run npm ci without it, or ${website}`,
    ],
    [
      'a checkout that was installed without scripts',
      ['package.json', 'latchkey', 'node_modules/node/package.json'],
      `Here npm has left out the scripts of packages, one of which fetches Node 24: run npm rebuild node --ignore-scripts=false, or ${website}`,
    ],
    [
      'a checkout that pnpm has installed without scripts',
      ['package.json', 'latchkey', 'node_modules/node/package.json', 'node_modules/.pnpm/lock.yaml'],
      `Here pnpm has left out the scripts of packages, one of which fetches Node 24: run pnpm approve-builds and pnpm rebuild node, or ${website}`,
    ],
    [
      'a checkout with a Node of its own',
      ['package.json', 'latchkey', 'node_modules/node/bin/node', 'node_modules/.bin/node'],
      'Start it by ./latchkey or npm, which use the Node of node_modules.',
    ],
  ];

  for (const [layout, files, advice] of layouts) {
    it(`is named where it is missing, with what to do in ${layout}`, async () => {
      const root = await mkdtemp(join(tmpdir(), 'latchkey-'));
      for (const file of files) {
        await mkdir(dirname(join(root, file)), { recursive: true });
        await writeFile(join(root, file), '');
      }
      expect(unsupportedNode('latchkey', '22.21.1', root)).to.equal(
        `latchkey needs Node 24 or later, and this is Node 22.21.1. ${advice}`,
      );
      await rm(root, { recursive: true });
    });
  }

  it('is checked before anything in TypeScript by every script of package.json that runs some', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(await readFile(fileOf('package.json'), 'utf8'));
    const direct = Object.values(scripts).filter((script) => /\bnode\b[^&]*\.ts\b/.test(script));
    expect(direct.length).to.be.above(3);
    expect(
      direct.filter((script) => !/\bnode --import \.\/app\/check-node\.js [^&]*\.ts\b/.test(script)),
    ).to.deep.equal([]);
  });
});
