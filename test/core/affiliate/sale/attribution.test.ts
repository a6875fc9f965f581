import { expect } from 'chai';
import * as fc from 'fast-check';
import { attribute, foldedCode, type Promoted, type Said } from '../../../../core/affiliate/sale/attribution.ts';
import { firstTerms, termsAt, type TermsVersion } from '../../../../core/affiliate/sale/terms.ts';
import { anyTerms, aVersion, thirty } from '../../../support/affiliates/builders.ts';
import { day, later, noon } from '../../../support/builders.ts';
import { rounds } from '../../../support/run/long-runs.ts';

const ended: TermsVersion = {
  from: later(-1),
  by: 'affiliate:ada',
  commissionPercent: null,
  commissionFor: null,
  holdDays: null,
};
const saying = (said: Partial<Said>): Said => {
  return { at: noon, productId: 'prod_1', code: null, metadata: null, reference: null, ...said };
};
const promoted = (handle: string, overrides: Partial<Promoted> = {}): Promoted => {
  return { handle, slug: 'sketchpad', productId: 'prod_1', codes: [], terms: [aVersion()], ...overrides };
};

describe('the affiliate of a sale', () => {
  const promotions = [
    promoted('ada', { codes: ['ada20'] }),
    promoted('ada', { slug: 'sketchpad-pro', terms: [aVersion({ from: later(-2 * day) })] }),
    promoted('ada', { slug: 'brush', productId: 'prod_2', terms: [aVersion({ from: later(-9 * day) })] }),
    promoted('bob', { terms: [] }),
    promoted('cy-1'),
    promoted('dan', { terms: [aVersion(), ended], codes: ['dan20'] }),
  ];
  const found = (said: Partial<Said>): string | null => {
    const attribution = attribute(saying(said), promotions);
    return attribution && `${attribution.by} ${attribution.handle} ${attribution.slug}`;
  };

  it('is the one of the code, else of the metadata, else of the link', () => {
    const all = { code: 'ADA20', metadata: 'cy-1', reference: 'via_ada_sketchpad-pro' };
    expect(found(all)).to.equal('code ada sketchpad');
    expect(found({ ...all, code: null })).to.equal('metadata cy-1 sketchpad');
    expect(found({ ...all, code: null, metadata: null })).to.equal('link ada sketchpad-pro');
    expect(found({})).to.equal(null);
  });

  it('is another one where a name has no terms in force', () => {
    expect(found({ code: 'OTHER', metadata: 'bob', reference: 'via_ada_sketchpad' })).to.equal('link ada sketchpad');
    expect(found({ code: 'DAN20', metadata: 'nobody', reference: 'via_cy-1' })).to.equal('link cy-1 sketchpad');
    expect(found({ code: 'DAN20', metadata: 'via_bob_sketchpad', reference: 'via_dan' })).to.equal(null);
    expect(found({ code: 'ADA20', productId: 'prod_3' })).to.equal(null);
  });

  it('means the promotion that was agreed first where no slug of the product is named', () => {
    for (const name of ['ada', 'ada_brush', 'ada_unknown'])
      expect(found({ reference: `via_${name}` }), name).to.equal('link ada sketchpad-pro');
    expect(found({ reference: 'via_ada_brush', productId: 'prod_2' })).to.equal('link ada brush');
  });

  it('means the other promotion of an affiliate where the one that is named has ended', () => {
    const [begun, last] = [aVersion({ from: later(-9 * day) }), { ...ended, from: later(-day) }];
    const own = [promoted('ada', { terms: [begun, last] }), promoted('ada', { slug: 'sketchpad-pro' })];
    for (const reference of ['via_ada', 'via_ada_sketchpad'])
      expect(attribute(saying({ reference }), own)?.slug, reference).to.equal('sketchpad-pro');
  });

  it('is nobody where the reference or the metadata is of another form', () => {
    for (const reference of [
      'ada',
      'order-1',
      'via_',
      'via_a',
      'via_ada_',
      'VIA_ada',
      'via_Ada',
      'xvia_ada',
      'via_ada ',
    ])
      expect(found({ reference }), reference).to.equal(null);
    for (const metadata of ['ada', 'via_ada', 'ada_sketchpad-pro'])
      expect(found({ metadata }), metadata).to.equal('metadata ada sketchpad-pro');
    expect(found({ metadata: '@ada' })).to.equal(null);
  });

  it('has the terms of the checkout, to the second of an approval', () => {
    const terms = [aVersion({ from: noon }), aVersion({ from: later(1000), commissionPercent: 1250 })];
    const of = (at: Date): unknown => attribute(saying({ at, metadata: 'ada' }), [promoted('ada', { terms })]);
    expect(of(noon)).to.equal(null);
    const attribution = { handle: 'ada', slug: 'sketchpad', by: 'metadata' };
    expect(of(later(1000))).to.deep.equal({ ...attribution, terms: thirty });
    expect(of(later(1001))).to.deep.equal({ ...attribution, terms: { ...thirty, commissionPercent: 1250 } });
    expect(firstTerms(terms)).to.deep.equal(thirty);
    expect([firstTerms([]), termsAt([aVersion(), ended], noon)]).to.deep.equal([null, null]);
  });

  it('follows neither from the order of the promotions nor from what is agreed afterwards', () => {
    const handles = ['ada', 'bob', 'cyd'] as const;
    const anyVersion = fc.record({ terms: anyTerms, at: fc.integer({ min: -5, max: 5 }) });
    const anyPromotion = fc.record({
      versions: fc.array(anyVersion, { maxLength: 3 }),
      code: fc.constantFrom('x', 'y'),
    });
    const said = fc.record({
      code: fc.constantFrom('X', 'y', 'z', null),
      metadata: fc.constantFrom('ada', 'bob_one', 'nobody', null),
      reference: fc.constantFrom('via_cyd', 'via_ada_two', 'order-1', null),
    });
    fc.assert(
      fc.property(
        fc.array(anyPromotion, { minLength: 6, maxLength: 6 }),
        said,
        fc.nat(5),
        anyTerms,
        (all, says, turn, late) => {
          const known = all.map(({ versions, code }, index) =>
            promoted(handles[index % 3] ?? 'ada', {
              slug: index < 3 ? 'one' : 'two',
              codes: [foldedCode(`${code}${index === 0 ? '' : index}`)],
              terms: versions
                .map(({ terms, at }) => aVersion({ ...terms, from: later(at) }))
                .toSorted((a, b) => +a.from - +b.from),
            }),
          );
          const answer = attribute(saying(says), known);
          expect(attribute(saying(says), [...known.slice(turn), ...known.slice(0, turn)])).to.deep.equal(answer);
          const agreed = known.map((one) => ({ ...one, terms: [...one.terms, aVersion({ ...late, from: later(5) })] }));
          expect(attribute(saying(says), agreed)).to.deep.equal(answer);
          const winner = known.find(({ handle, slug }) => handle === answer?.handle && slug === answer.slug);
          expect(answer?.terms ?? null).to.deep.equal(winner === undefined ? null : termsAt(winner.terms, noon));
        },
      ),
      { numRuns: rounds(300, 20_000) },
    );
  });
});
