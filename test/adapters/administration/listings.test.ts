import { expect } from 'chai';
import { aCall, aListing } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';

const slug = 'quiet-editor';

atEachDoor('the commands about listings', (door) => {
  beforeEach(() => door().ports.listings.put([aListing({ slug })], aCall()));

  const stored = () => door().ports.allListings.find(slug, aCall());

  it('pause and publish a listing, and log each change once', async () => {
    for (const [verb, state] of [
      ['pause', 'paused'],
      ['publish', 'live'],
    ] as const) {
      for (const _ of ['once', 'twice']) {
        expect(await door().run(`listing ${verb}`, { slug })).to.include({ slug, state });
        expect(await stored()).to.include({ state });
      }
    }
    expect(door().changes()).to.deep.equal([
      { command: 'listing pause', slug },
      { command: 'listing publish', slug },
    ]);
  });

  it('delete a listing, and log that once', async () => {
    for (const deleted of [1, 0]) expect(await door().run('listing delete', { slug })).to.deep.equal({ deleted });
    expect(await stored()).to.equal(null);
    expect(door().changes()).to.deep.equal([{ command: 'listing delete', slug }]);
  });

  it('list the listings by slug, in every state, or those with each word of a search', async () => {
    const drafted = aListing({ slug: 'duebook', id: 'lst_2', name: 'Duebook', state: 'draft' });
    await door().ports.listings.put([drafted], aCall());
    const slugsOf = async (values: object) =>
      ((await door().run('listing list', { ...values })) as readonly { readonly slug: string }[]).map(
        (each) => each.slug,
      );
    expect(await slugsOf({})).to.deep.equal(['duebook', slug]);
    expect(await slugsOf({ q: 'BOOK' })).to.deep.equal(['duebook']);
    expect(await slugsOf({ q: 'none' })).to.deep.equal([]);
  });
});
