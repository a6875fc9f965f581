import { expect } from 'chai';
import { anAffiliate, aPromotion, aVersion } from '../../../support/affiliates/builders.ts';
import { aPromotable, linkOfAda, servePromoted } from '../../../support/affiliates/promoted-site.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { getPage } from '../../../support/web/page-client.ts';

const plain = 'https://buy.example/pad';
const named = `${plain}?client_reference_id=via_ada_sketchpad&via=ada_sketchpad`;

describe('/go/{handle}/{slug}', () => {
  let service: TestService;
  before(async () => {
    service = await servePromoted({
      listings: [
        aPromotable(),
        aPromotable({ slug: 'sketch_pad' }),
        aPromotable({ slug: 'asked' }),
        aPromotable({ slug: 'ended' }),
        aPromotable({ slug: 'moved', productId: 'prod_2' }),
        aPromotable({ slug: 'paused', state: 'paused' }),
        aPromotable({ slug: 'unsold', saleUrl: null, affiliates: 'none' }),
      ],
      affiliates: [anAffiliate()],
      promotions: [
        aPromotion(),
        aPromotion({ slug: 'sketch_pad', codes: ['ada20'] }),
        aPromotion({ slug: 'asked', state: 'asked', terms: [] }),
        aPromotion({ slug: 'ended', state: 'ended', terms: [aVersion()] }),
        aPromotion({ slug: 'moved' }),
        aPromotion({ slug: 'paused' }),
        aPromotion({ slug: 'unsold', codes: ['ada30'] }),
      ],
    });
  });
  after(() => service.stop());

  const follow = async (path: string, method = 'GET'): Promise<readonly unknown[]> => {
    const { status, headers, text } = await getPage(`${service.url}/go/${path}`, { method });
    expect(headers).to.include({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(headers).to.not.have.any.keys('set-cookie', 'etag');
    return status === 302 ? [headers['location'], text] : [status, headers['error-code']];
  };

  it('leads to the sale, with the names of the affiliate and the listing', async () => {
    expect(await follow('ada/sketchpad')).to.deep.equal([named, '']);
    expect(await follow('ada/sketchpad', 'HEAD')).to.deep.equal([named, '']);
    expect(await follow('Ada/sketchpad')).to.deep.equal([named, '']);
    expect(await follow('ada/sketch_pad')).to.deep.equal([
      `${plain}?client_reference_id=via_ada&via=ada&prefilled_promo_code=ADA20`,
      '',
    ]);
  });

  it('leads to the plain sale where the promotion is unknown, asked, ended, or for another product', async () => {
    for (const path of ['nobody/sketchpad', 'A%2Fa/sketchpad', 'ada/asked', 'ada/ended', 'ada/moved']) {
      expect(await follow(path), path).to.deep.equal([plain, '']);
    }
  });

  it('leads nowhere for a listing that is unknown, not live, or not sold', async () => {
    for (const slug of ['nothing', 'paused', 'unsold', '%00']) {
      expect(await follow(`ada/${slug}`), slug).to.deep.equal([404, 'listing_not_found']);
    }
  });

  it('is on no page where it leads nowhere', async () => {
    const { text: storefront } = await getPage(`${service.url}/@ada`);
    expect(storefront)
      .to.include('href="/go/ada/sketchpad"')
      .and.include('href="/listings/unsold"')
      .and.include('ADA30')
      .and.not.include('/go/ada/unsold');
    const { text: own } = await getPage(service.url + (await linkOfAda(service)));
    expect(own).to.include('/go/ada/sketchpad<').and.not.include('/go/ada/unsold');
    expect(textIn(own)).to.include('so there is no link').and.include('Code ADA30 counts for you');
  });
});
