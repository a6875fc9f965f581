import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { FeatureValue } from '../../../../core/tier/features.ts';
import type { DeclaredTier } from '../../../../core/tier/tier.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono, written } from '../display/parts.ts';
import { table } from '../display/table.ts';
import { limitText } from '../entitlement/state/terms.ts';

/** What the tiers of a product allow. Null for a product that has declared none. */
export function tiersSection(tiers: readonly DeclaredTier[]): Html | null {
  if (tiers.length === 0) return null;
  return html`<section class="section" aria-labelledby="tiers">
    <h2 id="tiers">Tiers</h2>
    ${table(
      'Tiers by id',
      [
        { heading: 'Tier', cell: ({ id }) => mono(id) },
        { heading: 'Devices', cell: ({ terms }) => limitText(terms.deviceLimit) },
        {
          heading: 'Features',
          cell: ({ terms }) =>
            html`${Object.entries(terms.features).map(([name, value]) => html`<span class="sub">${feature(name, value)}</span>`)}`,
        },
        { heading: 'Revision', atEnd: true, isMuted: true, cell: ({ revision }) => String(revision) },
      ],
      tiers,
    )}
  </section>`;
}

/** What an entitlement allows, with a mark for what it has of its own. Null for no features. */
export function featuresSection({ features, own }: Pick<FullSnapshot, 'features' | 'own'>): Html | null {
  const all = Object.entries(features);
  if (all.length === 0) return null;
  return html`<section class="section" aria-labelledby="features">
    <h2 id="features">Features</h2>
    ${table(
      'Features by name',
      [
        { heading: 'Feature', cell: ([name, value]) => feature(name, value) },
        {
          heading: 'From',
          isMuted: true,
          cell: ([name]) => (Object.hasOwn(own.features, name) ? 'its own' : 'its tier'),
        },
      ],
      all,
    )}
  </section>`;
}

/** `projects: 20`. A text has the direction of its own letters. */
function feature(name: string, value: FeatureValue): Html {
  return html`${mono(name)}: ${typeof value === 'string' ? written(value) : String(value)}`;
}
