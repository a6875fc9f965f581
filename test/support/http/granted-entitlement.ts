import { day, noon } from '../builders.ts';
import { requestId } from './http-client.ts';

/** The instant `days` days after noon, as answers write it. */
export const at = (days: number): string => new Date(noon.getTime() + days * day).toISOString();

/** The body that grants `ent_1`. */
export const grant = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
export const purchase = { ...grant, billingInterval: 'one_time' };
export const licenseKey = 'a-license-key-of-my-own-making';
export const path = '/admin/entitlements/ent_1';

/** Who changes it, in the log and in its history. */
export const by = { by: 'operator:opk_1', correlationId: requestId };

/** The snapshot of `ent_1` after `grant` at noon. */
export const snapshot = {
  id: 'ent_1',
  productId: 'prod_1',
  kind: 'subscription',
  status: 'active',
  active: true,
  tierId: 'pro',
  tierName: 'Pro',
  billingInterval: 'month',
  currentPeriodStart: at(0),
  currentPeriodEnd: at(31),
  cancelAtPeriodEnd: false,
  cancelAt: null,
  canceledAt: null,
  endedAt: null,
  allowedActions: ['cancel'],
  createdAt: at(0),
  updatedAt: at(0),
  version: 1,
};
