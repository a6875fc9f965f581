import { scopes } from '../../../../core/key/app/app-key.ts';

/** The correlation id of every example. */
export const exampleId = '8d3f9c1e-6b0a-4a57-9d2e-51c6f0b7a934';

const listing = {
  id: 'lst_1',
  slug: 'tidy',
  name: 'Tidy',
  blurb: 'Keeps a desk tidy.',
  category: 'Productivity',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30% commission',
  featured: true,
  storefrontCount: 12,
} as const;

const entitlement = {
  id: 'ent_1',
  productId: 'prod_1',
  kind: 'subscription',
  status: 'active',
  active: true,
  tierId: 'pro',
  tierName: 'Pro',
  billingInterval: 'month',
  currentPeriodStart: '2026-07-01T00:00:00.000Z',
  currentPeriodEnd: '2026-08-01T00:00:00.000Z',
  cancelAtPeriodEnd: false,
  cancelAt: null,
  canceledAt: null,
  endedAt: null,
  allowedActions: ['cancel'],
  createdAt: '2026-07-01T00:00:00.000Z',
  updatedAt: '2026-07-01T00:00:00.000Z',
  version: 1,
} as const;

const { id, productId, status, tierId, tierName, billingInterval, currentPeriodEnd } = entitlement;

export const doneExample = { success: true, correlationId: exampleId } as const;
export const listingExample = { success: true, data: listing, correlationId: exampleId } as const;
export const listingPageExample = {
  success: true,
  data: [listing],
  meta: { total: 1, offset: 0, limit: 24, hasMore: false },
  categories: ['Productivity'],
  correlationId: exampleId,
} as const;
export const snapshotExample = { success: true, data: entitlement, correlationId: exampleId } as const;
export const cancelExample = {
  success: true,
  data: {
    ...entitlement,
    cancelAtPeriodEnd: true,
    cancelAt: '2026-08-01T00:00:00.000Z',
    canceledAt: '2026-07-18T12:00:00.000Z',
    allowedActions: ['resume'],
    updatedAt: '2026-07-18T12:00:00.000Z',
    version: 2,
  },
  correlationId: exampleId,
} as const;
export const feedExample = {
  success: true,
  data: [
    {
      id: 'evt_hZ9fR2sLq0VbT7xKc4Wd1M',
      type: 'entitlement.granted',
      timestamp: '2026-07-01T00:00:00.000Z',
      data: { sequence: 1, correlationId: exampleId, by: 'operator:opk_1', previous: {}, entitlement },
    },
  ],
  meta: { next: '1-hZ9fR2sL', hasMore: false },
  correlationId: exampleId,
} as const;
export const verificationExample = {
  valid: true,
  entitlement: { id, productId, status, tierId, tierName, billingInterval, currentPeriodEnd },
} as const;
/** The id of the signing key of the examples, whose coordinates are those of RFC 7517 A.1. */
const exampleKeyId = 'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s';

export const signingKeySetExample = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      kid: exampleKeyId,
      alg: 'ES256',
      use: 'sig',
    },
  ],
} as const;
const issuedReceipt = {
  // Its claims and signature are left out.
  receipt:
    'eyJhbGciOiJFUzI1NiIsImtpZCI6ImNuLUlfV05NQ2xlaGlWcDUxaV8wVnBPRU5XMXVwRWVyQThzRWFtNWhuLXMiLCJ0eXAiOiJsaWNlbnNlLXJlY2VpcHQrand0In0.….…',
  issuedAt: '2026-07-18T12:00:00.000Z',
  refreshAfter: '2026-07-25T12:00:00.000Z',
  expiresAt: '2026-08-01T12:00:00.000Z',
} as const;
export const receiptExample = { success: true, data: issuedReceipt, correlationId: exampleId } as const;
export const metadataExample = {
  resource: 'https://latchkey.example',
  resource_name: 'Latchkey',
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
} as const;
