import type { SchemaObject } from 'ajv/dist/2020.js';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { waitlistRoles } from '../../../../core/waitlist/sign-up.ts';
import {
  anyObject,
  constant,
  described,
  enumOf,
  listOf,
  named,
  objectOf,
  orNull,
  text,
} from '../../../administration/declaration/schema-parts.ts';
import { deviceSchemas } from './device-schemas.ts';
import { entitlementSchemas } from './entitlement-schemas.ts';
import { eventSchemas } from './event-schemas.ts';
import { featureSchemas } from './feature-schemas.ts';
import { licenseMembers } from './license-members.ts';
import { linkSchemas } from './link-schemas.ts';
import { listingSchemas } from './listing-schemas.ts';
import { receiptSchemas } from './receipt-schemas.ts';

const shortText = {
  type: 'string',
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  format: 'well-formed', // not part of the pattern: request generators do not know surrogates
};

export const emailSchema = { type: 'string', format: 'email' };
export const detailSchemas = {
  name: orNull(shortText),
  handle: orNull(shortText),
  role: orNull({ anyOf: [enumOf(waitlistRoles)] }),
};

/** The schemas that request bodies are checked with. Members that they do not name are ignored. */
const requestSchemas = {
  WaitlistSignUp: { type: 'object', required: ['email'], properties: { email: emailSchema, ...detailSchemas } },
  LicenseVerificationRequest: {
    type: 'object',
    required: ['licenseKey'],
    properties: licenseMembers,
  },
} as const;

/** The named schemas of the public API: bodies, and the values in them. */
export const schemas = {
  ...listingSchemas,
  ...entitlementSchemas,
  ...eventSchemas,
  ...receiptSchemas,
  ...deviceSchemas,
  ...linkSchemas,
  ...featureSchemas,
  ...requestSchemas,
  Done: objectOf({ success: constant(true), correlationId: named('CorrelationId') }),
  ErrorBody: objectOf({
    success: constant(false),
    error: described('What went wrong, for people. Programs read the header `Error-Code`.', text),
    correlationId: named('CorrelationId'),
  }),
  CorrelationId: {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{8,128}$',
    description: 'Names the request in the logs of the service.',
  },
  Scope: described('What an app key may be used for.', enumOf(scopes)),
  ProtectedResourceMetadata: objectOf({
    resource: { type: 'string', format: 'uri' },
    resource_name: text,
    scopes_supported: listOf(named('Scope')),
    bearer_methods_supported: listOf(constant('header')),
  }),
  ServiceInfo: objectOf({
    name: constant('Latchkey'),
    release: text,
    edition: { type: 'string', format: 'date' },
    links: named('ServiceLinks'),
  }),
  ServiceLinks: objectOf({ openapi: text, listings: text, metadata: text, live: text, ready: text }),
  OpenApiDocument: {
    ...objectOf({ openapi: text, info: anyObject, paths: anyObject }),
    additionalProperties: true,
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;

export type SchemaName = keyof typeof schemas;
