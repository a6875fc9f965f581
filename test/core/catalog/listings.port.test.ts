import { expect } from 'chai';
import { changesOf } from '../../../core/catalog/listings.port.ts';
import { aListing } from '../../support/builders.ts';

describe('the changes of a catalog', () => {
  it('are the listings to show, and the slugs of those to remove', () => {
    const live = aListing({ slug: 'shown' });
    const hidden = [aListing({ slug: 'a-draft', state: 'draft' }), aListing({ slug: 'on-hold', state: 'paused' })];
    const changes = { kind: 'changes', changed: [live], removed: ['a-draft', 'on-hold'], cursor: '7' };
    expect(changesOf([live, ...hidden], '7')).to.deep.equal(changes);
    expect(changesOf([], '7')).to.deep.equal({ ...changes, changed: [], removed: [] });
  });
});
