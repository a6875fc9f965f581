import { clearDevices, findDevice, listDevices, releaseDevice } from '../../device/manage-devices.ts';
import { takeSeat } from '../../device/take-seat.ts';
import { issueOfflineReceipt } from '../../receipt/issue-offline-receipt.ts';
import { makeSigningKeys } from '../../receipt/make-signing-keys.ts';
import { writeReceipt } from '../../receipt/receipt.ts';
import { newSigningKey } from '../../receipt/signing-key.ts';
import { ofProducts } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** Devices, and the receipts that work on them. */
export function devicesOf({ ports, platform, seating, seats, trustsClock }: Parts) {
  const { digest, encodeText, newKeyPair, newReceiptId, signText } = platform;
  return ofProducts({
    listDevices: listDevices(seating),
    findDevice: findDevice(seating),
    releaseDevice: releaseDevice(seating),
    clearDevices: clearDevices(seating),
    issueOfflineReceipt: issueOfflineReceipt({
      ...seating,
      keys: ports.signingKeys,
      makeKeys: makeSigningKeys(ports.signingKeys, newSigningKey(newKeyPair, digest)),
      write: writeReceipt(newReceiptId, encodeText, signText),
      trustsClock,
      takeSeat: takeSeat({ ...seating, digest, trustsClock, settings: seats }),
    }),
  });
}
