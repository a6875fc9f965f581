// Starts the year of a purchase when its first device is activated, for the receiver of docs/webhooks.md.
import { LatchkeyAdmin } from 'latchkey/admin';

const { ADMIN_URL, OPERATOR_KEY } = process.env;
const { entitlements } = new LatchkeyAdmin({ baseUrl: ADMIN_URL, operatorKey: OPERATOR_KEY });

export async function apply(type, { id, tierId, devicesUsed }) {
  if (type !== 'device.activated' || tierId !== 'year' || devicesUsed !== 1) return;
  const { tierName, accessEndsAt, endedAt } = await entitlements.get(id);
  if (accessEndsAt || endedAt) return; // its year has begun, or it was revoked
  const currentPeriodEnd = new Date(Date.now() + 365 * 86_400_000).toISOString();
  await entitlements.changeTier(id, { tierId, tierName, currentPeriodEnd });
}
