import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { compensationTypes, listingStates } from '../../core/catalog/listing.ts';
import type { ListingDraft } from '../../core/catalog/import-listings.ts';
import { parseInstant } from './instant.ts';

/** A listing as a line of a file has it. */
type WrittenListing = Omit<ListingDraft, 'publishedAt'> & { readonly publishedAt?: string };

const identifier = { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,128}$' };
const shortText = { type: 'string', maxLength: 200, pattern: '^[^\\p{Cc}\\p{Cs}]*\\S[^\\p{Cc}\\p{Cs}]*$' };
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

const anIdentifier = 'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-"';
const aShortText = 'must be 1 to 200 characters, not blank and without control characters';
const aCount = 'must be a whole number, 0 or more';

/** Each member: its schema, and what it must be in words. */
const members: Readonly<Record<keyof WrittenListing, readonly [schema: object, rule: string]>> = {
  slug: [identifier, anIdentifier],
  name: [shortText, aShortText],
  blurb: [
    { type: 'string', maxLength: 2000, pattern: '^[^\\p{Cs}\\0]*$' },
    'must be a text of at most 2,000 characters',
  ],
  category: [shortText, aShortText],
  commissionPercent: [{ type: 'number', minimum: 0, maximum: 100 }, 'must be a number from 0 to 100'],
  compensationType: [{ type: 'string', enum: compensationTypes }, `must be one of ${compensationTypes.join(', ')}`],
  compensationLabel: [shortText, aShortText],
  storefrontCount: [count, aCount],
  id: [identifier, anIdentifier],
  featured: [{ type: 'boolean' }, 'must be true or false'],
  publishedAt: [
    { type: 'string', format: 'instant' },
    'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z',
  ],
  upfrontCents: [count, aCount],
  state: [{ type: 'string', enum: listingStates }, `must be one of ${listingStates.join(', ')}`],
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

const schema = {
  type: 'object',
  required,
  properties: Object.fromEntries(Object.entries(members).map(([name, [rule]]) => [name, rule])),
};

const validateJson = compile({ coerceTypes: false });
const validateText = compile({ coerceTypes: true });

/** A line that is no listing; the message names the member and its bound, never the value. */
export class BadLine extends Error {}

/** The listing of a JSON text, unknown members aside. Throws `BadLine`. */
export function draftOfJson(text: string): ListingDraft {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadLine('The line must be a JSON object.');
  }
  return draftOf(value, validateJson);
}

/** The listing of a row of texts by column, unknown columns aside; an empty cell is left out. Throws `BadLine`. */
export function draftOfRow(row: Readonly<Record<string, string>>): ListingDraft {
  const cells = Object.entries(row).filter(([name, cell]) => cell !== '' || name === 'blurb');
  const written = cells.map(([name, cell]) => [name, name === 'featured' ? cell.toLowerCase() : cell]);
  return draftOf(Object.fromEntries(written), validateText);
}

function draftOf(value: unknown, validate: ValidateFunction<WrittenListing>): ListingDraft {
  if (!validate(value)) throw new BadLine(whatIsWrong(validate));
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(members, name));
  const { publishedAt, ...draft } = Object.fromEntries(known) as unknown as WrittenListing;
  const instant = publishedAt === undefined ? null : parseInstant(publishedAt);
  return instant === null ? draft : { ...draft, publishedAt: instant };
}

function whatIsWrong({ errors }: ValidateFunction<WrittenListing>): string {
  const [first] = errors ?? [];
  const missing: unknown = first?.params['missingProperty'];
  if (typeof missing === 'string') return `${missing} is missing.`;
  const name = first?.instancePath.split('/')[1] ?? '';
  const [, rule] = new Map(Object.entries(members)).get(name) ?? [];
  return rule === undefined ? 'The line must be a JSON object.' : `${name} ${rule}.`;
}

function compile(options: { readonly coerceTypes: boolean }): ValidateFunction<WrittenListing> {
  const ajv = new Ajv2020(options);
  ajv.addFormat('instant', (text: string) => parseInstant(text) !== null);
  return ajv.compile<WrittenListing>(schema);
}
