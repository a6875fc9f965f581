import { expect } from 'chai';
import { demoCatalog } from '../../../app/demo/catalog/catalog.ts';
import { noon } from '../../support/builders.ts';
import { TestCommandLine } from '../../support/cli/command-line.ts';

describe("the demo's catalog", () => {
  const drafts = demoCatalog(noon, 'https://makers.example');

  it('has 200 listings with distinct names in twelve categories', () => {
    const count = (member: 'slug' | 'name' | 'blurb' | 'category'): number =>
      new Set(drafts.map((draft) => draft[member])).size;
    expect([drafts.length, count('slug'), count('name'), count('blurb'), count('category')]).to.deep.equal([
      200, 200, 200, 200, 12,
    ]);
  });

  it('passes the rules of an import', async () => {
    const lines = drafts.map((draft) => JSON.stringify(draft)).join('\n');
    const result = await new TestCommandLine().json('listing import -', lines);
    expect(result).to.deep.equal({ imported: 200, failed: 0, errors: [] });
  });
});
