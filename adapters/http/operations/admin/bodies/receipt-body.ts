import { deviceIdRule, deviceNameRule } from '../../../../../core/device/device.ts';
import { offlineAgeRule } from '../../../../../core/receipt/issue-offline-receipt.ts';
import { requestBody } from './request-body.ts';

/** The body of a request for an offline receipt. */
export const offlineReceiptBody = requestBody(
  { expires: offlineAgeRule, deviceId: deviceIdRule, deviceName: deviceNameRule },
  [],
  {
    expires:
      '365d by default, or `RECEIPT_MAX_AGE` if that is shorter. At least `1s`, and not longer than `RECEIPT_MAX_AGE`.',
    deviceId:
      'The id that the app on the machine shows. The device takes a seat, and the receipt opens the app there alone.',
    deviceName: 'The name of the device in lists. Only with `deviceId`.',
  },
);
