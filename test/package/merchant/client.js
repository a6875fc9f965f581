// The server of a merchant, in any runtime: it reads, cancels, resumes and verifies on the demo.
import { LatchkeyClient, licenseGate, NotFoundError, verifyReceipt, verifyWebhook } from 'latchkey/client';

const { address, appKey, entitlementId, licenseKey } = JSON.parse(process.env.DEMO);
const latchkey = new LatchkeyClient({ baseUrl: address, appKey });

const listings = [];
for await (const { slug } of latchkey.listings.all()) listings.push(slug);
const canceled = await latchkey.entitlements.cancel(entitlementId);
const resumed = await latchkey.entitlements.resume(entitlementId);
const { verdict } = await latchkey.licenses.verify(licenseKey, { productId: 'sketchpad' });
const missing = await latchkey.listings.get('no-such-listing').catch((error) => error);
await latchkey.waitlist.join({ email: 'ada@example.com' });
const { data: events } = await latchkey.events.list({ limit: 100 });
const event = await verifyWebhook(
  '{"type":"license.rotated"}',
  {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1784376000',
    'webhook-signature': 'v1,D7JrI5qT8puVAARraBZy0YzGds08kDYEJHC/FyoCaD4=',
  },
  'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
  { now: new Date('2026-07-18T12:00:00Z') },
);

const keys = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'aJbaWSvno6zt1JXnzOICBuIJzalMPVM8vpjE5aTeOn0',
      y: 'Z71ZYP5S2u9dtp3M3AD7TJHXCG8MelOa3OlFO6Mog7k',
      kid: 'duRy4hYwjDpQ3537to_WMgV_ksKsgERHjPkMmdrUbYU',
    },
  ],
};
const parts = [
  'eyJhbGciOiJFUzI1NiIsImtpZCI6ImR1Unk0aFl3akRwUTM1Mzd0b19XTWdWX2tzS3NnRVJIalBrTW1kclViWVUiLCJ0eXAiOiJsaWNlbnNlLXJlY2VpcHQrand0In0',
  'eyJpc3MiOiJodHRwczovL2xpY2Vuc2VzLmV4YW1wbGUiLCJhdWQiOiJza2V0Y2hwYWQiLCJzdWIiOiJlbnRfMSIsImlhdCI6MTc4NDM3NjAwMCwiZXhwIjoxNzg1NTg1NjAwLCJqdGkiOiJyY3BfMSIsImtleSI6Inp5R0JWdGRYRXF0REd4ZE8yYkhUOWgyOEJWT21zVkFNaGhFYXRYMkJ6SE0iLCJtb2RlIjoib25saW5lIiwiZW50aXRsZW1lbnQiOnsiaWQiOiJlbnRfMSIsInByb2R1Y3RJZCI6InNrZXRjaHBhZCIsInN0YXR1cyI6ImFjdGl2ZSIsInRpZXJJZCI6InBybyIsInRpZXJOYW1lIjoiUHJvIiwiYmlsbGluZ0ludGVydmFsIjoib25lX3RpbWUifX0',
  'K01P-F1lQOzQqC1vK49xVlRNtF8LCjHBB_li2ENB4pSpxrMTTEkK7R4X3iwE-exEqOiAnM4W53wTWDo4BVQzfg',
];
const now = new Date('2026-07-20T12:00:00Z');
const options = { keys, productId: 'sketchpad', licenseKey: 'a-license-key-of-a-buyer', now };
const genuine = await verifyReceipt(parts.join('.'), options);
const forged = await verifyReceipt([parts[0], parts[1], 'A'.repeat(86)].join('.'), options);
const storage = { load: () => null, save: () => {} };
const checked = await licenseGate({ client: latchkey, keys, productId: 'sketchpad', storage }).check(licenseKey);
if (genuine.verdict !== 'valid' || forged.reason !== 'bad_signature' || checked.source !== 'online')
  throw new Error(JSON.stringify([genuine, forged, checked]));

const seen = [listings.length, canceled.cancelAtPeriodEnd, resumed.cancelAtPeriodEnd, verdict, event.type];
if (JSON.stringify(seen) !== JSON.stringify([200, true, false, 'valid', 'license.rotated']))
  throw new Error(JSON.stringify(seen));
if (events.length < 2) throw new Error(JSON.stringify(events));
if (!(missing instanceof NotFoundError)) throw missing;
