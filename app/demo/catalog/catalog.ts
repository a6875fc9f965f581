import type { ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { compensationTypes } from '../../../core/catalog/listing.ts';
import type { CommissionFor } from '../../../core/catalog/page-members.ts';
import { day } from '../../../core/parsing/duration.ts';
import descriptions from './descriptions.json' with { type: 'json' };
import { demoProducts, type DemoProduct } from './products.ts';

const makers = [
  'Paper Lantern',
  'Tidewater Software',
  'Nine Oaks',
  'Lumen & Co',
  'Small Hours',
  'Foundry Row',
  'Blue Kettle',
  'Hazel Works',
  'Northlight',
  'Pine Street Tools',
  'Marlow Brothers',
] as const;

const payouts = [
  'Monthly by bank transfer, from $50',
  'Monthly by PayPal, from $25',
  'Every two weeks, from $100',
  'Monthly, without a minimum',
] as const;

const terms: readonly CommissionFor[] = [12, 'lifetime', 'first_payment', 24, 6];

/**
 * Makes 200 listings in twelve categories, always the same but for their dates; the newest is published at `now`. Their
 * makers and pictures are below `makersUrl`.
 */
export function demoCatalog(now: Date, makersUrl: string): readonly ListingDraft[] {
  return demoProducts.map((product, number) => {
    const { slug, name, blurb, category } = product;
    // Each step is coprime to the length of its cycle, so that neighbors differ in everything.
    const commissionPercent = 10 + 5 * ((number * 7) % 10);
    const upfrontCents = 500 * (1 + ((number * 11) % 30));
    const compensationType = compensationTypes[((number * 5) % 7) % 3] ?? 'commission';
    return {
      slug,
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
      storefrontCount: Math.floor(2000 / (3 + ((number * 83) % demoProducts.length))),
      featured: number % 25 === 3,
      publishedAt: new Date(now.getTime() - ((number * 37) % demoProducts.length) * 2 * day),
      upfrontCents: compensationType === 'commission' ? 0 : upfrontCents,
      commissionFor: compensationType === 'upfront' ? null : (terms[number % terms.length] ?? null),
      cookieDays: 30 * (1 + (number % 3)),
      payoutLabel: payouts[number % payouts.length] ?? null,
      ...pageOf(product, makers[number % makers.length] ?? makers[0], makersUrl),
    };
  });
}

/** The members of a listing that only its page shows: the product, and its maker. */
function pageOf({ slug, name, category }: DemoProduct, maker: string, makersUrl: string) {
  const description = new Map(Object.entries(descriptions)).get(category);
  return {
    description: description?.replaceAll('{name}', name) ?? null,
    url: `${makersUrl}/products/${slug}`,
    joinUrl: `${makersUrl}/join/${slug}`,
    contactUrl: `${makersUrl}/help/${slug}`,
    maker,
    makerUrl: `${makersUrl}/makers/${encodeURIComponent(maker)}`,
    imageUrl: `${makersUrl}/icons/${slug}.svg`,
    pictureUrl: `${makersUrl}/pictures/${slug}.svg`,
    pictureAlt: `The window of ${name}`,
  };
}
