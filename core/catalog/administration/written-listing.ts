import { identifierRule } from '../../identifier.ts';
import { instantRule } from '../../parsing/instant.ts';
import type { MemberRules } from '../../parsing/read-members.ts';
import { bidiControls } from '../../parsing/reordering.ts';
import { contactUrlRule, urlRule } from '../../parsing/url-rules.ts';
import {
  booleanRule,
  countRule,
  displayNameRule,
  numberThat,
  oneOf,
  textThat,
  wholeNumber,
  type ValueRule,
} from '../../parsing/value-rule.ts';
import { affiliatePolicies, maxHoldDays } from '../affiliate-members.ts';
import { compensationTypes, listingStates } from '../listing.ts';
import { commissionTexts, maxMonths, type CommissionFor } from '../page-members.ts';
import type { ListingDraft } from './import-listings.ts';

/** Controls of the direction of text, with which a listing could show another text than it has. */
const reordered = new RegExp(`[${bidiControls}]`);

const namedBidiControls = 'bidi controls (U+202A to U+202E, U+2066 to U+2069)';

/** The rule for the names, categories and labels of listings, which strangers may have written. */
export const listingNameRule = textThat(
  (text) => displayNameRule.parse(text) !== null && !reordered.test(text),
  `${displayNameRule.rule} or ${namedBidiControls}`,
);

const blurbRule = textThat(
  (text) => /^[^\p{Cs}\0]{0,2000}$/u.test(text) && !reordered.test(text),
  `must be a text of at most 2,000 characters without ${namedBidiControls}`,
);

const descriptionRule = textThat(
  (text) => /^[^\p{Cs}\0]{0,4000}$/u.test(text) && !reordered.test(text),
  `must be a text of at most 4,000 characters without ${namedBidiControls}`,
);

/** The rule for the alternative text of a picture. It is empty for a picture that only decorates. */
const pictureAltRule = textThat(
  (text) => /^[^\p{Cc}\p{Cs}\u2028\u2029]{0,200}$/u.test(text) && !reordered.test(text),
  `must be at most 200 characters, without control characters or ${namedBidiControls}`,
);

/** The rule for how long a maker pays. Months are a number, and digits where everything is a text. */
export const commissionForRule: ValueRule<CommissionFor> = {
  parse: (text) => commissionFor(/^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : text),
  read: commissionFor,
  rule: `must be first_payment, lifetime, or a whole number of months from 1 to ${maxMonths}`,
};

function commissionFor(value: unknown): CommissionFor | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 1 && value <= maxMonths ? value : null;
  return commissionTexts.find((each) => each === value) ?? null;
}

const maxCookieDays = 3650;

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
  productId: identifierRule,
  featured: booleanRule,
  publishedAt: instantRule,
  upfrontCents: countRule,
  state: oneOf(listingStates),
  url: urlRule,
  imageUrl: urlRule,
  description: descriptionRule,
  joinUrl: urlRule,
  commissionFor: commissionForRule,
  cookieDays: wholeNumber(0, maxCookieDays),
  payoutLabel: listingNameRule,
  maker: listingNameRule,
  makerUrl: urlRule,
  contactUrl: contactUrlRule,
  pictureUrl: urlRule,
  pictureAlt: pictureAltRule,
  affiliates: oneOf(affiliatePolicies),
  saleUrl: urlRule,
  holdDays: wholeNumber(0, maxHoldDays),
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
] as const satisfies readonly (keyof ListingDraft)[];
