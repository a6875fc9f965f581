import type { SchemaObject } from 'ajv/dist/2020.js';
import { listingDefaults, listingLimits } from '../../../../core/catalog/listing-query.ts';
import { count, lenient, named, text } from '../../../administration/declaration/schema-parts.ts';
import { listingExample, listingPageExample } from './examples.ts';
import { marketplace, type OperationDocs, type ParameterDocs } from './operation-docs.ts';

function query(name: string, description: string, schema: SchemaObject, example?: string | number): ParameterDocs {
  return { name, in: 'query', description, schema, ...(example !== undefined && { example }) };
}

const { sort, compensation, offset, limit } = listingDefaults;
const pageSize = { type: 'integer', minimum: listingLimits.min, maximum: listingLimits.max };
const catalogHeaders = ['ETag', 'Vary'];

export const listDocs: OperationDocs = {
  tag: marketplace,
  summary: 'Browse live listings.',
  description:
    'Searches, filters, sorts and pages the live listings. No value of a query parameter is an error: one that cannot be used is ignored or brought within its bounds, and `meta` shows the values in effect.',
  parameters: [
    query('q', 'Terms that must all occur in name, blurb, category or slug; cut at 200 characters.', text),
    query('sort', 'The order; any other value is the default.', lenient(named('ListingSort'), sort), sort),
    query(
      'compensation',
      'The compensation type; any other value is the default.',
      lenient(named('CompensationFilter'), compensation),
      compensation,
    ),
    query('category', 'A category, in upper or lower case.', text),
    query(
      'minCommission',
      'The minimum commission percent; any other value is ignored.',
      lenient(named('MinCommission')),
      20,
    ),
    query(
      'minStorefronts',
      'The minimum number of live storefronts; any other value is ignored.',
      lenient(named('MinStorefronts')),
      1,
    ),
    query('offset', 'Where the page starts; any other value is the default.', lenient(count, offset), offset),
    query(
      'limit',
      'The size of the page; an integer out of bounds is brought within them, any other value is the default.',
      lenient(pageSize, limit),
      limit,
    ),
  ],
  success: { description: 'A page of listings.', schema: 'ListingPage', example: listingPageExample },
  headers: catalogHeaders,
  refusals: [],
  acceptedScope: 'read:listings',
};

export const detailDocs: OperationDocs = {
  tag: marketplace,
  summary: 'Get one live listing.',
  description: 'A listing that is a draft or paused gets 404, exactly like one that does not exist.',
  parameters: [
    {
      name: 'slug',
      in: 'path',
      required: true,
      description: 'The slug of the listing.',
      schema: text,
      example: 'tidy',
    },
  ],
  success: { description: 'The listing.', schema: 'ListingDetail', example: listingExample },
  headers: catalogHeaders,
  refusals: ['not_found', 'listing_not_found'],
  acceptedScope: 'read:listings',
};
