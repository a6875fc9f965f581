import type { Call } from '../../core/call.ts';
import type { ReplaceOutcome } from '../../core/compare-and-set.ts';
import { compareDevices, type Device } from '../../core/device/device.ts';
import type { DevicePart, Devices, SeatChange } from '../../core/device/devices.port.ts';
import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { appendEvents } from './event/memory-events.ts';

export class MemoryDevices implements Devices {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(entitlementId: string, id: string): Promise<Device | null> {
    return this.#store.devices.get(entitlementId)?.get(id) ?? null;
  }

  async page(entitlementId: string, { after, limit }: DevicePart): Promise<readonly Device[]> {
    const all = [...(this.#store.devices.get(entitlementId)?.values() ?? [])].toSorted(compareDevices);
    const rest = after === null ? all : all.filter((device) => compareDevices(device, { ...device, ...after }) > 0);
    return rest.slice(0, limit);
  }

  async counts(entitlementIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return new Map(entitlementIds.map((id) => [id, this.#store.devices.get(id)?.size ?? 0]));
  }

  async replace(
    seen: Entitlement,
    next: Entitlement,
    { gone, put, events }: SeatChange,
    call: Call,
  ): Promise<ReplaceOutcome> {
    const { devices, entitlements } = this.#store;
    if (entitlements.get(seen.id)?.revision !== seen.revision) return { kind: 'stale' };
    const own = devices.get(seen.id) ?? new Map<string, Device>();
    for (const id of gone) own.delete(id);
    for (const device of put) own.set(device.id, device);
    devices.set(seen.id, own);
    entitlements.set(seen.id, next);
    appendEvents(this.#store, seen.productId, events, call.now);
    return { kind: 'replaced' };
  }

  async note(entitlementId: string, { id, name, seenAt }: Pick<Device, 'id' | 'name' | 'seenAt'>): Promise<void> {
    const own = this.#store.devices.get(entitlementId);
    const stored = own?.get(id);
    if (stored !== undefined && stored.seenAt <= seenAt) own?.set(id, { ...stored, name, seenAt });
  }
}
