import { textRule, textThat } from '../parsing/value-rule.ts';
import type { Digest } from '../secret.ts';

/** A device that has a seat of an entitlement. */
export interface Device {
  /** `dev_` and 22 characters, which do not show what the app calls its device. */
  readonly id: string;
  /** For display in lists alone: it may be personal. */
  readonly name: string | null;
  readonly activatedAt: Date;
  /** When the device was last known to be in use, to within `seenInterval`. */
  readonly seenAt: Date;
  /** The end of the last offline receipt that names the device. Until then only operators release it. */
  readonly offlineUntil: Date | null;
}

/** The app's own name for its device. */
export const deviceIdRule = textRule((text) => {
  const trimmed = text.trim();
  return /^[\x21-\x7e]{8,128}$/.test(trimmed) ? trimmed : null;
}, 'must be 8 to 128 printable ASCII characters without spaces');

/** What all others than the app see of a device. */
export const deviceRule = textThat(
  (text) => /^dev_[A-Za-z0-9_-]{22}$/.test(text),
  'must be "dev_" and 22 characters, as the list of devices shows it',
);

export const deviceNameRule = textThat(
  (text) => text.trim() !== '' && [...text].length <= 100 && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text),
  'must be 1 to 100 characters, not blank and without control characters',
);

/**
 * Derives what all others see of a device. The entitlement is part of it, so that two sellers' lists, or two licenses of
 * one buyer, do not show that they have a device in common.
 */
export function deviceOf(entitlementId: string, deviceId: string, digest: Digest): string {
  return `dev_${digest(`${entitlementId}\n${deviceId}`).slice(0, 22)}`;
}

/** The order of lists: those that were not seen for the longest time first. */
export function compareDevices(a: Device, b: Device): number {
  return a.seenAt.getTime() - b.seenAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
}
