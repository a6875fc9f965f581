import type { Call } from '../call.ts';
import type { Devices } from '../device/devices.port.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import { requireReach } from '../reach.ts';
import { isOwnEntitlement } from './limited-entitlements.ts';

/** Devices have no product, so that their entitlement is found first. */
export function limitedDevices(devices: Devices, all: AllEntitlements): Devices {
  const isOwn = (id: string, call: Call): Promise<boolean> => isOwnEntitlement(all, id, call);
  return {
    find: async (entitlementId, id, call) =>
      (await isOwn(entitlementId, call)) ? devices.find(entitlementId, id, call) : null,

    page: async (entitlementId, part, call) =>
      (await isOwn(entitlementId, call)) ? devices.page(entitlementId, part, call) : [],

    counts: async (ids, call) => {
      const own = await Promise.all(ids.map((id) => isOwn(id, call)));
      const found = await devices.counts(
        ids.filter((_id, index) => own[index]),
        call,
      );
      return new Map(ids.map((id) => [id, found.get(id) ?? 0]));
    },

    replace: async (seen, next, change, call) => {
      requireReach(call, seen.productId, next.productId);
      return devices.replace(seen, next, change, call);
    },

    note: async (entitlementId, device, call) => {
      if (await isOwn(entitlementId, call)) await devices.note(entitlementId, device, call);
    },
  };
}
