import { identifierRule } from '../../identifier.ts';
import { instantRule } from '../../parsing/instant.ts';
import type { MemberRules } from '../../parsing/read-members.ts';
import { urlRule } from '../../parsing/url-rules.ts';
import { booleanRule, countRule, displayNameRule, numberThat, oneOf, textThat } from '../../parsing/value-rule.ts';
import { compensationTypes, listingStates } from '../listing.ts';
import type { ListingDraft } from './import-listings.ts';

/** Controls of the direction of text, with which a listing could show another text than it has. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/;

const namedBidiControls = 'bidi controls (U+202A to U+202E, U+2066 to U+2069)';

/** The rule for the names, categories and labels of listings, which strangers may have written. */
export const listingNameRule = textThat(
  (text) => displayNameRule.parse(text) !== null && !bidiControls.test(text),
  `${displayNameRule.rule} or ${namedBidiControls}`,
);

const blurbRule = textThat(
  (text) => /^[^\p{Cs}\0]{0,2000}$/u.test(text) && !bidiControls.test(text),
  `must be a text of at most 2,000 characters without ${namedBidiControls}`,
);

/** The rules for the members of a listing in an import file. */
export const listingRules: MemberRules<ListingDraft> = {
  slug: identifierRule,
  name: listingNameRule,
  blurb: blurbRule,
  category: listingNameRule,
  commissionPercent: numberThat((value) => value >= 0 && value <= 100, 'must be a number from 0 to 100'),
  compensationType: oneOf(compensationTypes),
  compensationLabel: listingNameRule,
  storefrontCount: countRule,
  id: identifierRule,
  featured: booleanRule,
  publishedAt: instantRule,
  upfrontCents: countRule,
  state: oneOf(listingStates),
  url: urlRule,
  imageUrl: urlRule,
};

/** The members that have no default. */
export const requiredOfListing = [
  'slug',
  'name',
  'blurb',
  'category',
  'commissionPercent',
  'compensationType',
  'compensationLabel',
  'storefrontCount',
] as const satisfies readonly (keyof ListingDraft)[];
