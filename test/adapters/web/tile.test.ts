import { expect } from 'chai';
import { shownPicture, tile } from '../../../adapters/web/marketplace/tile.ts';

function hueOf(slug: string): string {
  return /hue-\d+/.exec(tile({ slug, name: 'X' }, 'medium', null).text)?.[0] ?? '';
}

describe('the tile of a listing', () => {
  for (const [name, initial] of [
    ['Ledgerline', 'L'],
    ['  “quiet” editor', 'q'],
    ['7 things', '7'],
    ['🎈 Éclair', 'É'],
    ['עורך שקט', 'ע'],
    ['𝒜ce', '𝒜'],
    ['<b>', 'b'],
    ['!?&', '·'],
    ['', '·'],
  ] as const) {
    it(`shows ${initial} for ${JSON.stringify(name)}`, () => {
      const { text } = tile({ slug: 'a', name }, 'medium', null);
      expect(text).to.equal(`<span class="tile hue-2" aria-hidden="true">${initial}</span>`);
    });
  }

  it('takes its hue from the slug alone, one of twelve', () => {
    const slugs = ['ledgerline', 'lenscap', 'parentline', 'echo-desk', 'glossary', 'vocalise', 'plainstats'];
    expect(slugs.map(hueOf)).to.deep.equal(['hue-6', 'hue-9', 'hue-3', 'hue-2', 'hue-11', 'hue-7', 'hue-10']);
    const seen = new Set(Array.from({ length: 1000 }, (_, index) => hueOf(`slug-${index}`)));
    expect([...seen].toSorted()).to.deep.equal(Array.from({ length: 12 }, (_, index) => `hue-${index + 1}`).toSorted());
  });

  it('has sizes, and an image in place of the letter that sends no referrer and waits until it is seen', () => {
    expect(tile({ slug: 'a', name: 'A' }, 'large', 'https://cdn.example/a.png?b&c').text).to.equal(
      '<span class="tile large hue-2" aria-hidden="true"><img src="https://cdn.example/a.png?b&amp;c" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" /></span>',
    );
  });

  it('shows an image from a named host only, with its port', () => {
    const hosts = ['cdn.example', 'images.example:8443'];
    const isShown = (imageUrl: string | null): boolean =>
      shownPicture(imageUrl, hosts) === imageUrl && imageUrl !== null;
    expect(
      ['https://cdn.example/a.png', 'https://CDN.example:443/a', 'https://images.example:8443/a'].filter(isShown),
    ).to.have.length(3);
    const others = [
      null,
      'https://evil.example/a',
      'https://cdn.example.evil.example/',
      'https://cdn.example:8443/a',
      'https://images.example/a',
    ];
    expect(others.filter(isShown)).to.deep.equal([]);
  });
});
