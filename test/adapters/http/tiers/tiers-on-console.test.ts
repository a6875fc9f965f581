import { expect } from 'chai';
import { featuresSection, tiersSection } from '../../../../adapters/web/console/tiers/tier-sections.ts';

const features = { projects: 20, sso: true, theme: '<b>dark</b>' };

const textOf = (html: ReturnType<typeof tiersSection>): string => html?.text ?? '';

describe('the tiers on the console', () => {
  it('are shown with their limit and their features, and not at all where there are none', () => {
    expect(tiersSection([], null)).to.equal(null);
    const page = textOf(
      tiersSection(
        [{ productId: 'prod_1', id: 'pro', terms: { deviceLimit: 3, trial: null, features }, revision: 2 }],
        null,
      ),
    );
    for (const part of ['>pro<', '>3<', 'projects', ': 20', 'sso', ': true', '&lt;b>dark', '>2<'])
      expect(page.replaceAll('&gt;', '>'), part).to.include(part);
    expect(page).not.to.include('<b>dark');
  });

  it('mark what an entitlement has of its own among its features', () => {
    const own = { deviceLimit: null, features: { sso: true } };
    expect(featuresSection({ features: {}, own })).to.equal(null);
    const rows = (featuresSection({ features, own })?.text ?? '').split('<tr').filter((row) => row.includes(': '));
    expect(rows.map((row) => [/projects|sso|theme/.exec(row)?.[0], /its own|its tier/.exec(row)?.[0]])).to.deep.equal([
      ['projects', 'its tier'],
      ['sso', 'its own'],
      ['theme', 'its tier'],
    ]);
  });
});
