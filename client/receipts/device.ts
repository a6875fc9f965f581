import { digestOf } from './license-key.ts';

/** The device of a program. */
export interface GateDevice {
  /** The app's own name for its device: 8 to 128 printable ASCII characters without spaces. */
  readonly id: string;
  /** For the buyer, in lists of devices: 1 to 100 characters. It may be personal. */
  readonly name?: string | undefined;
}

/** Throws `TypeError` for a device that no seat can be asked for. */
export function checkDevice({ id, name }: GateDevice): void {
  if (typeof id !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(id.trim()))
    throw new TypeError('device.id must be 8 to 128 printable ASCII characters without spaces');
  const isName = typeof name === 'string' && name.trim() !== '' && [...name].length <= 100;
  if (name !== undefined && (!isName || /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name)))
    throw new TypeError('device.name must be 1 to 100 characters, not blank and without control characters');
}

/** Derives the service's id of a device of an entitlement. */
export async function deviceOf(entitlementId: string, deviceId: string): Promise<string> {
  return `dev_${(await digestOf(`${entitlementId}\n${deviceId.trim()}`)).slice(0, 22)}`;
}
