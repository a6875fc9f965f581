// Keeps entitlements in step with the events of a payment provider. docs/billing.md says which.
import { createHmac } from 'node:crypto';
import { ConflictError, LatchkeyAdmin } from 'latchkey/admin';
import { sendKey } from './mail.mjs';
import { sell } from './sale.mjs';

const { ADMIN_URL, OPERATOR_KEY, LICENSE_SECRET, AFFILIATES } = process.env;
const { entitlements, sales } = new LatchkeyAdmin({ baseUrl: ADMIN_URL, operatorKey: OPERATOR_KEY, timeout: 10_000 });

const handlers = {
  created: async ({ id, email, licenseKey, ...terms }) => {
    const key = licenseKey ?? createHmac('sha256', LICENSE_SECRET).update(id).digest('base64url');
    await entitlements.put(id, { ...terms, licenseKey: key });
    if (!licenseKey) await sendKey(email, key); // otherwise the buyer has the key from the vendor
  },
  paid: ({ id, ...period }) => entitlements.renew(id, period),
  updated: ({ id, ...tier }) => entitlements.changeTier(id, tier),
  payment_failed: ({ id }) => entitlements.pastDue(id),
  suspended: ({ id }) => entitlements.suspend(id),
  reinstated: ({ id }) => entitlements.reinstate(id),
  canceled: ({ id }) => entitlements.cancel(id),
  resumed: ({ id }) => entitlements.resume(id),
  deleted: ({ id }) => entitlements.revoke(id),
  ...(AFFILIATES === 'on' && { sold: (sale) => sell(sales, sale) }),
};

export async function handle({ type, subscription }) {
  try {
    await handlers[type]?.(subscription);
  } catch (error) {
    const isFinal = error instanceof ConflictError && error.code !== 'changed_meanwhile';
    if (!isFinal) throw error; // any other conflict means that the state does not allow the change
  }
}
