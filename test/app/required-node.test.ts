import { readFile } from 'node:fs/promises';
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

  it('is named where it is missing', () => {
    expect(unsupportedNode('latchkey', '22.21.1')).to.equal(
      'latchkey needs Node 24 or later, and this is Node 22.21.1. Install it from https://nodejs.org.',
    );
  });
});
