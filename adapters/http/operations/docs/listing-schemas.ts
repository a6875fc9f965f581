import {
  compensationFilters,
  listingLimits,
  listingSorts,
  minCommissions,
  minStorefrontCounts,
} from '../../../../core/catalog/listing-query.ts';
import { compensationTypes } from '../../../../core/catalog/listing.ts';
import {
  answerOf,
  constant,
  count,
  described,
  enumOf,
  flag,
  listOf,
  named,
  objectOf,
  text,
} from '../../../administration/declaration/schema-parts.ts';

const listing = objectOf({
  id: text,
  slug: described('The last part of its path.', text),
  name: text,
  blurb: text,
  category: text,
  commissionPercent: { type: 'number', format: 'double' },
  compensationType: named('CompensationType'),
  compensationLabel: described('What affiliates earn, for people.', text),
  featured: flag,
  storefrontCount: described('The number of live storefronts.', count),
});

const meta = objectOf({
  total: described('The number of listings that match.', count),
  offset: count,
  limit: { type: 'integer', minimum: listingLimits.min, maximum: listingLimits.max },
  hasMore: flag,
});

/** The schemas of operations 4.1 and 4.2. */
export const listingSchemas = {
  Listing: listing,
  ListingPageMeta: described('The values in effect, whatever the query said.', meta),
  ListingPage: objectOf({
    success: constant(true),
    data: { ...listOf(named('Listing')), maxItems: listingLimits.max },
    meta: named('ListingPageMeta'),
    categories: described('The categories of all live listings, not only of those that match.', listOf(text)),
    correlationId: named('CorrelationId'),
  }),
  ListingDetail: answerOf('Listing'),
  CompensationType: described('What affiliates are paid for.', enumOf(compensationTypes)),
  CompensationFilter: enumOf(compensationFilters),
  ListingSort: described(
    '`charts`: the most storefronts first. `new`: the newest first. `reward`: the best paid first.',
    enumOf(listingSorts),
  ),
  MinCommission: enumOf(minCommissions),
  MinStorefronts: enumOf(minStorefrontCounts),
} as const;
