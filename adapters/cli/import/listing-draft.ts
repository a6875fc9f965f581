import { compensationTypes, listingStates } from '../../../core/catalog/listing.ts';
import type { ListingDraft } from '../../../core/catalog/import-listings.ts';
import { parseInstant } from '../input/instant.ts';
import {
  aCount,
  anIdentifier,
  anInstant,
  aName,
  jsonOf,
  lineSchema,
  oneOfThese,
  type MemberRule,
} from '../input/line-schema.ts';

/** A listing as a line of a file has it. */
type WrittenListing = Omit<ListingDraft, 'publishedAt'> & { readonly publishedAt?: string };

const members: Readonly<Record<keyof WrittenListing, MemberRule>> = {
  slug: anIdentifier,
  name: aName,
  blurb: [
    { type: 'string', maxLength: 2000, pattern: '^[^\\p{Cs}\\0]*$' },
    'must be a text of at most 2,000 characters',
  ],
  category: aName,
  commissionPercent: [{ type: 'number', minimum: 0, maximum: 100 }, 'must be a number from 0 to 100'],
  compensationType: oneOfThese(compensationTypes),
  compensationLabel: aName,
  storefrontCount: aCount,
  id: anIdentifier,
  featured: [{ type: 'boolean' }, 'must be true or false'],
  publishedAt: anInstant,
  upfrontCents: aCount,
  state: oneOfThese(listingStates),
};

const required: readonly (keyof WrittenListing)[] = [
  'slug',
  'name',
  'blurb',
  'category',
  'commissionPercent',
  'compensationType',
  'compensationLabel',
  'storefrontCount',
];

const readJson = lineSchema<WrittenListing>(members, required, { coerceTypes: false });
const readText = lineSchema<WrittenListing>(members, required, { coerceTypes: true });

/** The listing of a JSON text, unknown members aside. Throws `BadLine`. */
export function draftOfJson(text: string): ListingDraft {
  return draftOf(readJson(jsonOf(text)));
}

/** The listing of a row of texts by column, unknown columns aside; an empty cell is left out. Throws `BadLine`. */
export function draftOfRow(row: Readonly<Record<string, string>>): ListingDraft {
  const cells = Object.entries(row).filter(([name, cell]) => cell !== '' || name === 'blurb');
  const written = cells.map(([name, cell]) => [name, name === 'featured' ? cell.toLowerCase() : cell]);
  return draftOf(readText(Object.fromEntries(written)));
}

function draftOf({ publishedAt, ...draft }: WrittenListing): ListingDraft {
  const instant = publishedAt === undefined ? null : parseInstant(publishedAt);
  return instant === null ? draft : { ...draft, publishedAt: instant };
}
