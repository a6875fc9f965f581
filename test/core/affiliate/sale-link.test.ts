import { expect } from 'chai';
import { nameInLink, saleAddress } from '../../../core/affiliate/sale-link.ts';
import { attribute } from '../../../core/affiliate/sale/attribution.ts';
import { aPromotion } from '../../support/affiliates/builders.ts';
import { noon } from '../../support/builders.ts';

describe('the link by which an affiliate sells', () => {
  it('names the affiliate and the listing for a Payment Link and for the site of a seller', () => {
    expect(saleAddress('https://buy.stripe.com/abc', aPromotion())).to.equal(
      'https://buy.stripe.com/abc?client_reference_id=via_ada_sketchpad&via=ada_sketchpad',
    );
  });

  it('fills in the newest promotion code', () => {
    expect(saleAddress('https://buy.stripe.com/abc', aPromotion({ codes: ['ada10', 'ada-20'] }))).to.equal(
      'https://buy.stripe.com/abc?client_reference_id=via_ada_sketchpad&via=ada_sketchpad&prefilled_promo_code=ADA-20',
    );
  });

  it('replaces parameters of its names, however they are written, and leaves all else as it is', () => {
    const saleUrl =
      'https://shop.example?a=%20b+c&%76ia=x&client_reference_id=mine&via&locale=de%2&&prefilled_promo_code=OWN#buy?via=y';
    const ours = 'client_reference_id=via_ada_sketchpad&via=ada_sketchpad';
    expect(saleAddress(saleUrl, aPromotion())).to.equal(
      `https://shop.example?a=%20b+c&locale=de%2&prefilled_promo_code=OWN&${ours}#buy?via=y`,
    );
    expect(saleAddress(saleUrl, aPromotion({ codes: ['ada20'] }))).to.equal(
      `https://shop.example?a=%20b+c&locale=de%2&${ours}&prefilled_promo_code=ADA20#buy?via=y`,
    );
    // The name of this one begins with a question mark.
    expect(saleAddress('https://shop.example/??via=x', aPromotion())).to.equal(`https://shop.example/??via=x&${ours}`);
  });

  it('leaves out a slug that Stripe would drop, and one that makes the reference too long', () => {
    const long = 'a'.repeat(192);
    const names = ['sketch-Pad2', 'sketch_pad', 'sketch.pad', 'ü', long, `${long}a`].map((slug) =>
      nameInLink(aPromotion({ slug })),
    );
    expect(names).to.deep.equal(['ada_sketch-Pad2', 'ada', 'ada', 'ada', `ada_${long}`, 'ada']);
    expect(`via_ada_${long}`).to.have.length(200);
  });

  it('is read again as the promotion whose link it is', () => {
    for (const slug of ['sketchpad', 'Sketch-2', 'sketch_pad']) {
      const promotion = aPromotion({ slug, codes: ['ada20'] });
      const parameters = new URL(saleAddress('https://buy.stripe.com/abc', promotion)).searchParams;
      const said = { at: noon, productId: 'prod_1', code: null, metadata: null, reference: null };
      for (const by of [
        { reference: parameters.get('client_reference_id') },
        { metadata: parameters.get('via') },
        { code: parameters.get('prefilled_promo_code') },
      ]) {
        expect(attribute({ ...said, ...by }, [promotion])).to.include({ handle: 'ada', slug });
      }
    }
  });
});
