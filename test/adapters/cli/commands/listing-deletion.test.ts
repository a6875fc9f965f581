import { expect } from 'chai';
import { TestCommandLine } from '../../../support/processes/command-line.ts';
import { freshStore, stores } from '../../../support/stores/stores.ts';

const listing = {
  name: 'Quiet Editor',
  blurb: 'Stays out of the way',
  category: 'Writing',
  commissionPercent: 12.5,
  compensationType: 'both',
  compensationLabel: '12.5 %',
  storefrontCount: 3,
};

for (const { name, open } of stores) {
  describe(`latchkey listing delete, ${name}`, () => {
    const store = freshStore(open);
    let cli: TestCommandLine;
    beforeEach(async () => {
      cli = new TestCommandLine(store());
      const lines = ['a', 'b', 'c'].map((slug) => JSON.stringify({ ...listing, slug }));
      await cli.json('listing import -', lines.join('\n'));
      cli.changes.length = 0;
    });

    it('deletes a listing, and logs that once', async () => {
      expect(await cli.json('listing delete b')).to.deep.equal({ deleted: 1 });
      expect(await slugs()).to.deep.equal(['a', 'c']);
      expect(await cli.json('listing delete b')).to.deep.equal({ deleted: 0 });
      expect(cli.changes).to.deep.equal([{ command: 'listing delete', slug: 'b' }]);
    });

    it('says whether there was one', async () => {
      const first = await cli.run(['listing', 'delete', 'a']);
      const second = await cli.run(['listing', 'delete', 'a']);
      expect([first.stdout, second.stdout]).to.deep.equal(['Deleted.\n', 'There is no such listing.\n']);
    });

    it('deletes the listings of a batch', async () => {
      const text = '{"slug":"a"}\n{"slug":"unknown"}\n{"slug":"c"}\n';
      const { exitCode, stdout } = await cli.run(['listing', 'delete', '-'], text);
      expect([exitCode, stdout]).to.deep.equal([0, '{"deleted":1}\n{"deleted":0}\n{"deleted":1}\n']);
      expect(await slugs()).to.deep.equal(['b']);
    });

    it('frees the slug for another listing', async () => {
      await cli.json('listing delete a');
      await cli.json('listing import -', JSON.stringify({ ...listing, slug: 'a', name: 'Another Editor' }));
      expect(await slugs()).to.deep.equal(['a', 'b', 'c']);
    });

    async function slugs(): Promise<readonly string[]> {
      return ((await cli.json('listing list')) as readonly { readonly slug: string }[]).map(({ slug }) => slug);
    }
  });
}
