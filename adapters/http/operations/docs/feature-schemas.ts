import type { SchemaObject } from 'ajv/dist/2020.js';
import { featureNamePattern, maxFeatureLength, maxFeatures, reservedNames } from '../../../../core/tier/features.ts';
import { charactersWithout, described, flag } from '../../../administration/declaration/schema-parts.ts';

/** The schemas of a feature's values. */
export const featureValues: readonly SchemaObject[] = [
  flag,
  { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  {
    type: 'string',
    maxLength: maxFeatureLength,
    pattern: `^${charactersWithout('')}*$`,
    format: 'well-formed',
  },
];

/** Features by name, each with a value of some schema. */
export function featuresOf(value: SchemaObject): SchemaObject {
  return {
    type: 'object',
    maxProperties: maxFeatures,
    propertyNames: { pattern: featureNamePattern, not: { type: 'string', enum: reservedNames } },
    additionalProperties: value,
  };
}

export const featureSchemas = {
  Features: described(
    'What is allowed, by name: true or false, a whole number or a line of text.',
    featuresOf({ anyOf: featureValues }),
  ),
} as const;
