// What a merchant's server does, in any runtime: reads, cancels, resumes and verifies on the demo.
import { LatchkeyClient, NotFoundError, verifyWebhook } from 'latchkey/client';

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

const seen = [listings.length, canceled.cancelAtPeriodEnd, resumed.cancelAtPeriodEnd, verdict, event.type];
if (JSON.stringify(seen) !== JSON.stringify([200, true, false, 'valid', 'license.rotated']))
  throw new Error(JSON.stringify(seen));
if (events.length < 2) throw new Error(JSON.stringify(events));
if (!(missing instanceof NotFoundError)) throw missing;
