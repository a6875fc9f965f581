import type { Call } from '../call.ts';
import { maxDevices, type Entitlement } from '../entitlement/entitlement.ts';
import { day } from '../parsing/duration.ts';
import { allowanceKnown, type KnownTiers } from '../tier/allowance.ts';
import type { Device } from './device.ts';

/** The settings by which seats are released. */
export interface SeatSettings {
  /** Milliseconds without use after which a device makes room for another one. */
  readonly idle: number;
  /** The number of times in `releasePeriod` that apps may release each seat. */
  readonly releases: number;
}

/** The settings where nobody has set any. */
export const defaultSeats: SeatSettings = { idle: 90 * day, releases: 4 };

/** The time in which the allowance of releases refills, in milliseconds. */
const releasePeriod = 30 * day;

/** An entitlement with the limit of devices that holds: its own, or that of its tier; null without one. */
export type Limited = WithLimit<Entitlement>;

type WithLimit<Kind> = Kind extends Entitlement
  ? Omit<Kind, 'deviceLimit'> & { readonly deviceLimit: number | null }
  : never;

/** An entitlement with the limit that holds, by the tiers that the process knows. */
export async function withKnownLimit(known: KnownTiers, entitlement: Entitlement, call: Call): Promise<Limited> {
  const { deviceLimit } = await allowanceKnown(known, entitlement, call);
  return { ...entitlement, deviceLimit };
}

/** The number of devices that an entitlement may have, by its own limit or by that of its tier. */
export function seatsOf(deviceLimit: number | null): number {
  return deviceLimit ?? maxDevices;
}

/** The time after which the next use of a device is noted, in milliseconds. A write for each use would be too many. */
export function seenInterval({ idle }: SeatSettings): number {
  return Math.min(day, idle / 10);
}

/** Whether a device was not seen for long enough to make room, unless it runs on an offline receipt. */
export function isIdle({ seenAt }: Pick<Device, 'seenAt'>, { idle }: SeatSettings, now: Date): boolean {
  return now.getTime() - seenAt.getTime() >= idle;
}

/** Whether an offline receipt lets the device run, whatever happens to its seat. */
export function isOffline({ offlineUntil }: Pick<Device, 'offlineUntil'>, now: Date): boolean {
  return offlineUntil !== null && offlineUntil > now;
}

export type ReleaseDecision =
  | { readonly kind: 'allowed'; readonly releasesUntil: Date | null }
  /** The allowance is used up until then. */
  | { readonly kind: 'refused'; readonly retryAt: Date };

/**
 * Decides whether an app may release a seat now. The allowance of an entitlement refills evenly (the generic cell rate
 * algorithm, ITU-T I.371 annex A): each release moves `releasesUntil` on by the time in which one refills, and it may be
 * at most a whole period ahead. Without a limit of devices, releases do not count.
 */
export function decideRelease(
  { releasesUntil }: Pick<Entitlement, 'releasesUntil'>,
  deviceLimit: number | null,
  { releases }: SeatSettings,
  now: Date,
): ReleaseDecision {
  if (deviceLimit === null) return { kind: 'allowed', releasesUntil };
  const whole = now.getTime() + releasePeriod;
  if (releases === 0) return { kind: 'refused', retryAt: new Date(whole) };
  const refill = Math.floor(releasePeriod / (releases * deviceLimit));
  const next = Math.max(releasesUntil?.getTime() ?? 0, now.getTime()) + refill;
  if (next > whole) return { kind: 'refused', retryAt: new Date(now.getTime() + next - whole) };
  return { kind: 'allowed', releasesUntil: new Date(next) };
}
