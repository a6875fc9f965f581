import type { ListingDraft } from '../../core/catalog/administration/import-listings.ts';
import { compensationTypes } from '../../core/catalog/listing.ts';
import { day } from '../../core/parsing/duration.ts';
import blurbsByCategory from './products.json' with { type: 'json' };

/** Makes 200 listings in twelve categories, always the same but for their dates; the newest is published at `now`. */
export function demoCatalog(now: Date): readonly ListingDraft[] {
  const products = Object.entries(blurbsByCategory).flatMap(([category, blurbs]) =>
    Object.entries(blurbs).map(([name, blurb]) => ({ category, name, blurb })),
  );
  return products.map(({ category, name, blurb }, number) => {
    // Each step is coprime to the length of its cycle, so that neighbors differ in everything.
    const commissionPercent = 10 + 5 * ((number * 7) % 10);
    const upfrontCents = 500 * (1 + ((number * 11) % 30));
    const compensationType = compensationTypes[((number * 5) % 7) % 3] ?? 'commission';
    return {
      slug: slugOf(name),
      name,
      blurb,
      category,
      commissionPercent,
      compensationType,
      compensationLabel: {
        commission: `${commissionPercent}% of every sale`,
        upfront: `$${upfrontCents / 100} for each customer`,
        both: `$${upfrontCents / 100} and ${commissionPercent}% of every sale`,
      }[compensationType],
      storefrontCount: Math.floor(2000 / (3 + ((number * 83) % products.length))),
      featured: number % 25 === 3,
      publishedAt: new Date(now.getTime() - ((number * 37) % products.length) * 2 * day),
      upfrontCents: compensationType === 'commission' ? 0 : upfrontCents,
      url: `https://${slugOf(name)}.example/`,
    };
  });
}

function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')
    .replaceAll(' ', '-');
}
