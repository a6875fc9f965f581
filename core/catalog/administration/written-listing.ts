import { identifierRule } from '../../identifier.ts';
import { hostPattern } from '../../parsing/host-pattern.ts';
import { instantRule } from '../../parsing/instant.ts';
import type { MemberRules } from '../../parsing/read-members.ts';
import { booleanRule, countRule, displayNameRule, numberThat, oneOf, textThat } from '../../parsing/value-rule.ts';
import { compensationTypes, listingStates } from '../listing.ts';
import type { ListingDraft } from './import-listings.ts';

const maxUrlLength = 2048;

/** The name or IPv4 address of a host with an optional port, and what follows it. The documents of the interface have it too. */
export const listingUrlPattern = `^https://${hostPattern}(?:[/?#][!-~]*)?$`;

const listingUrlForm = new RegExp(listingUrlPattern);

/** The rule for the URLs that pages show. A link with a user name could pass for one to another host. */
export const listingUrlRule = textThat(
  (text) => text.length <= maxUrlLength && listingUrlForm.test(text),
  'must be an https URL of at most 2,048 ASCII characters without user name',
);

/** The rules for the members of a listing in an import file. */
export const listingRules: MemberRules<ListingDraft> = {
  slug: identifierRule,
  name: displayNameRule,
  blurb: textThat((text) => /^[^\p{Cs}\0]{0,2000}$/u.test(text), 'must be a text of at most 2,000 characters'),
  category: displayNameRule,
  commissionPercent: numberThat((value) => value >= 0 && value <= 100, 'must be a number from 0 to 100'),
  compensationType: oneOf(compensationTypes),
  compensationLabel: displayNameRule,
  storefrontCount: countRule,
  id: identifierRule,
  featured: booleanRule,
  publishedAt: instantRule,
  upfrontCents: countRule,
  state: oneOf(listingStates),
  url: listingUrlRule,
  imageUrl: listingUrlRule,
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
