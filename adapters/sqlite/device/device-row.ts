import type { Device } from '../../../core/device/device.ts';
import { dateOrNull, table } from '../engine/table.ts';

/** A row of `devices`. Instants are milliseconds since 1970. */
export interface DeviceRow {
  readonly entitlement_id: string;
  readonly id: string;
  readonly name: string | null;
  readonly activated_at: number;
  readonly seen_at: number;
  readonly offline_until: number | null;
}

export const devicesTable = table<DeviceRow>('devices', {
  entitlement_id: true,
  id: true,
  name: true,
  activated_at: true,
  seen_at: true,
  offline_until: true,
});

export function toDeviceRow(entitlementId: string, device: Device): DeviceRow {
  return {
    entitlement_id: entitlementId,
    id: device.id,
    name: device.name,
    activated_at: device.activatedAt.getTime(),
    seen_at: device.seenAt.getTime(),
    offline_until: device.offlineUntil?.getTime() ?? null,
  };
}

export function fromDeviceRow(row: DeviceRow): Device {
  return {
    id: row.id,
    name: row.name,
    activatedAt: new Date(row.activated_at),
    seenAt: new Date(row.seen_at),
    offlineUntil: dateOrNull(row.offline_until),
  };
}
