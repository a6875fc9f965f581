import { noAffiliateMembers } from '../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../core/catalog/listing.ts';
import { noPageMembers } from '../../core/catalog/page-members.ts';

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ');
const categories = Array.from({ length: 20 }, (_, index) => `Category ${String(index).padStart(2, '0')}`);
const day = 86_400_000;

/** Invented words of three syllables, each once. */
export const vocabulary: readonly string[] = Array.from(
  { length: 4000 },
  (_, index) => syllable(index) + syllable(Math.floor(index / 20)) + syllable(Math.floor(index / 400) + index),
);

/** Makes live listings out of the vocabulary, the same ones for the same instant. */
export function catalogOf(count: number, now: Date): readonly Listing[] {
  return Array.from({ length: count }, (_, index) => listing(index, now));
}

function listing(index: number, now: Date): Listing {
  const words = Array.from({ length: 12 }, (_, place) => word(index * 12 + place));
  const commissionPercent = [10, 20, 30, 50][index % 4] ?? 10;
  return {
    id: `lst_${String(index).padStart(6, '0')}`,
    slug: `${words[0]}-${words[1]}-${index}`,
    name: `${words[0]} ${words[1]}`,
    blurb: words.slice(2).join(' '),
    category: categories[index % categories.length] ?? '',
    commissionPercent,
    compensationType: index % 3 === 0 ? 'both' : 'commission',
    compensationLabel: `${commissionPercent}% of each sale`,
    featured: index % 50 === 0,
    storefrontCount: (index * 31) % 400,
    state: 'live',
    publishedAt: new Date(now.getTime() - (index % 700) * day),
    upfrontCents: index % 3 === 0 ? 5000 : 0,
    ...noPageMembers,
    ...noAffiliateMembers,
    storefronts: 0,
    productId: null,
  };
}

/** Picks a word that looks random, the same one for the same number. */
function word(number: number): string {
  return vocabulary[(Math.imul(number + 1, 0x9e3779b1) >>> 8) % vocabulary.length] ?? '';
}

function syllable(number: number): string {
  return syllables[number % syllables.length] ?? '';
}
