import { textRule, textThat } from '../parsing/value-rule.ts';
import type { Digest } from '../secret.ts';

/** A device that has a seat of an entitlement. */
export interface Device {
  /** `dev_` and 22 characters, which do not reveal the app's id of the device. */
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

/** The id by which everybody but the app knows a device. */
export const deviceRule = textThat(
  (text) => /^dev_[A-Za-z0-9_-]{22}$/.test(text),
  'must be "dev_" and 22 characters, as the list of devices shows it',
);

/** Takes any text, because a name is for display alone. Reads it as it can be shown, or empty if nothing is left of it. */
export const deviceNameRule = textRule(shownName, 'must be a text');

/** In code points. */
const maxNameLength = 100;

/** The white space that begins another line or column. */
const breaks = /[\t-\r\u0085\u2028\u2029]+/g;

/**
 * The characters that no list shows: other controls, unpaired surrogates, bidi controls, and those without width but the
 * joiners.
 */
const hidden =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function shownName(text: string): string {
  const clean = text.replaceAll(breaks, ' ').replaceAll(hidden, '').trim();
  return [...clean].length <= maxNameLength ? clean : cutName(clean);
}

/** The whole characters, as people count them, at the beginning of a text. */
function cutName(text: string): string {
  const points = [...text].slice(0, 2 * maxNameLength).join('');
  let cut = '';
  let length = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(points)) {
    length += [...segment].length;
    if (length > maxNameLength) break;
    cut += segment;
  }
  return (cut === '' ? [...text].slice(0, maxNameLength).join('') : cut).trim();
}

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
