import { expect } from 'chai';
import stringWidth from 'string-width';
import { table } from '../../../../adapters/cli/output/table.ts';

const items = [
  { slug: 'a', name: '東'.repeat(80), state: 'live' },
  { slug: 'b', name: 'Short', state: 'paused' },
];

describe('a table', () => {
  it('cuts flexible columns to fit the terminal', async () => {
    const lines = (await table(items, ['slug', 'name', 'state'], 40, ['name'])).trimEnd().split('\n');
    expect(lines.map((line) => stringWidth(line) <= 40)).to.deep.equal([true, true, true]);
    expect(lines[1]).to.match(/^a +東+…  live$|^a +東+… +live$/);
    expect(lines[2]).to.match(/^b +Short +paused$/);
  });

  it('cuts nothing if there is room', async () => {
    expect(await table(items, ['slug', 'name', 'state'], 400, ['name'])).to.include('東'.repeat(80));
  });

  it('is a block for each item if even cut lines do not fit', async () => {
    expect((await table(items, ['slug', 'name', 'state'], 20, ['name'])).split('\n\n').length).to.equal(2);
  });
});
