import type { NewCall } from '../call.ts';
import type { Devices } from '../device/devices.port.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { walk } from '../paging/walk.ts';
import type { EventFaults } from './event-faults.ts';

export interface DeviceCheckParts {
  readonly allEntitlements: AllEntitlements;
  readonly devices: Devices;
}

/** Entitlements whose devices are counted at once. */
const batchSize = 200;

/**
 * Checks that each entitlement has as many devices as it counts, while both change. Returns the number of devices. An
 * entitlement that was written between the two reads is read again.
 */
export async function checkDevices(parts: DeviceCheckParts, faults: EventFaults, newCall: NewCall): Promise<number> {
  const all = walk<Entitlement>(
    (after, limit, call) =>
      parts.allEntitlements.page({ productId: null, reference: null, after: after?.id ?? null, limit }, call),
    newCall,
  );
  let count = 0;
  let batch: Entitlement[] = [];
  for await (const entitlement of all) {
    batch.push(entitlement);
    if (batch.length < batchSize) continue;
    count += await checkBatch(parts, batch, faults, newCall);
    batch = [];
  }
  return count + (await checkBatch(parts, batch, faults, newCall));
}

async function checkBatch(
  parts: DeviceCheckParts,
  batch: readonly Entitlement[],
  faults: EventFaults,
  newCall: NewCall,
): Promise<number> {
  if (batch.length === 0) return 0;
  const counts = await parts.devices.counts(
    batch.map(({ id }) => id),
    newCall(),
  );
  let count = 0;
  for (const entitlement of batch) {
    const found = counts.get(entitlement.id) ?? 0;
    count += found === entitlement.devicesUsed ? found : await checkAgain(parts, entitlement, found, faults, newCall);
  }
  return count;
}

async function checkAgain(
  parts: DeviceCheckParts,
  { id, productId, revision, devicesUsed }: Entitlement,
  found: number,
  faults: EventFaults,
  newCall: NewCall,
): Promise<number> {
  const now = await parts.allEntitlements.find(id, newCall());
  if (now !== null && now.revision !== revision) return checkBatch(parts, [now], faults, newCall);
  faults.add(`Entitlement ${id} of product ${productId} counts ${devicesUsed} devices, but has ${found}.`);
  return found;
}
