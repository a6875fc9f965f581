// What a merchant's server does, in any runtime: reads, cancels, resumes and verifies on the demo.
import { LatchkeyClient, NotFoundError } from 'latchkey/client';

const { address, appKey, entitlementId, licenseKey } = JSON.parse(process.env.DEMO);
const latchkey = new LatchkeyClient({ baseUrl: address, appKey });

const listings = [];
for await (const { slug } of latchkey.listings.all()) listings.push(slug);
const canceled = await latchkey.entitlements.cancel(entitlementId);
const resumed = await latchkey.entitlements.resume(entitlementId);
const { verdict } = await latchkey.licenses.verify(licenseKey, { productId: 'sketchpad' });
const missing = await latchkey.listings.get('no-such-listing').catch((error) => error);
await latchkey.waitlist.join({ email: 'ada@example.com' });

const seen = [listings.length, canceled.cancelAtPeriodEnd, resumed.cancelAtPeriodEnd, verdict];
if (JSON.stringify(seen) !== JSON.stringify([200, true, false, 'valid'])) throw new Error(JSON.stringify(seen));
if (!(missing instanceof NotFoundError)) throw missing;
