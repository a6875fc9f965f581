import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { Features, FeatureValue } from '../../../../core/tier/features.ts';
import { shownTerms, type DeclaredTier, type TierTerms } from '../../../../core/tier/tier.ts';
import { html, type Html } from '../../markup/html.ts';
import { table, type Column } from '../../markup/table.ts';
import { mono, written } from '../display/parts.ts';
import { limitText } from '../state/terms.ts';

/** Where the tiers of a product are changed. */
export interface TierPaths {
  readonly add: string;
  readonly of: (id: string, change: 'change' | 'delete') => string;
}

/** The section of a product's tiers. `paths` is null for those who may change none, and so is the section without tiers. */
export function tiersSection(tiers: readonly DeclaredTier[], paths: TierPaths | null): Html | null {
  if (tiers.length === 0 && paths === null) return null;
  return html`<section class="section" aria-labelledby="tiers">
    <div class="line">
      <h2 id="tiers">Tiers</h2>
      ${paths === null ? null : html`<a class="button" href="${paths.add}">Declare a tier</a>`}
    </div>
    ${
      tiers.length === 0
        ? html`<p class="muted">No tier says what it allows. Entitlements have what was set for each.</p>`
        : table('Tiers by id', columns(paths), tiers)
    }
  </section>`;
}

function columns(paths: TierPaths | null): readonly Column<DeclaredTier>[] {
  return [
    { heading: 'Tier', cell: ({ id }) => mono(id) },
    { heading: 'Devices', cell: ({ terms }) => limitText(terms.deviceLimit) },
    { heading: 'Trial', cell: ({ terms }) => trialText(terms) },
    { heading: 'Features', cell: ({ terms }) => featureList(terms.features) },
    { heading: 'Revision', atEnd: true, isMuted: true, cell: ({ revision }) => String(revision) },
    ...(paths === null ? [] : [{ heading: '', atEnd: true, cell: ({ id }: DeclaredTier) => changes(id, paths) }]),
  ];
}

/** For how long a tier is offered for trial: `14d`. */
export function trialText(terms: TierTerms): string {
  return shownTerms(terms).trial ?? 'None';
}

/** The features of a tier, one below the other. */
export function featureList(features: Features): Html {
  return html`${Object.entries(features).map(([name, value]) => html`<span class="sub">${feature(name, value)}</span>`)}`;
}

function changes(id: string, { of }: TierPaths): Html {
  return html`<div class="buttons">
    <a class="button" href="${of(id, 'change')}" aria-label="Change ${id}">Change</a
    ><a class="button" href="${of(id, 'delete')}" aria-label="Delete ${id}">Delete</a>
  </div>`;
}

/** The features of an entitlement, with a mark at its own values. Null without features. */
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
