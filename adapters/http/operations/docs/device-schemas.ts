import type { SchemaObject } from 'ajv/dist/2020.js';
import {
  answerOf,
  count,
  described,
  instant,
  listOf,
  named,
  nullableInstant,
  nullableText,
  objectOf,
  orNull,
  text,
} from '../../../administration/declaration/schema-parts.ts';
import { deviceLimit } from './entitlement-schemas.ts';
import { licenseMembers } from './license-members.ts';

const seats = { deviceLimit, devicesUsed: described('How many devices have a seat.', count) };

/** The schema for `deviceIdRule`. */
export const deviceIdText = {
  type: 'string',
  pattern: '^[\\u0009-\\u000d ]*[\\u0021-\\u007e]{8,128}[\\u0009-\\u000d ]*$',
};
/** The schema for `deviceNameRule`. */
export const deviceNameText = { type: 'string' };
/** The schema for `deviceRule`. */
export const deviceText = { type: 'string', pattern: '^dev_[A-Za-z0-9_-]{22}$' };

const device = described('The device: `dev_` and 22 characters.', deviceText);

const deviceId = {
  ...deviceIdText,
  description:
    'What the app calls its device: 8 to 128 printable ASCII characters without spaces. Make it once, at random, and keep it with the data of the app.',
};

/** An object with these members as texts and any others, which validators may forbid unless it says so. */
function having(...names: readonly string[]): SchemaObject {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { required: names, properties, additionalProperties: true };
}

/** The schemas of devices. Members that the bodies do not name are ignored. */
export const deviceSchemas = {
  DeviceActivationRequest: {
    type: 'object',
    required: ['licenseKey', 'deviceId'],
    properties: {
      ...licenseMembers,
      deviceId,
      deviceName: described(
        'What the buyer knows the device by. It may be personal, and is shown in lists only: as one line of at most 100 characters, without those that cannot be shown.',
        orNull(deviceNameText),
      ),
      replace: described(
        'The device that makes room if no seat is free, as the list of devices shows it.',
        orNull(deviceText),
      ),
    },
  },
  DeviceDeactivationRequest: {
    type: 'object',
    required: ['licenseKey'],
    properties: {
      ...licenseMembers,
      deviceId: orNull(deviceId),
      device: described('The device as the list of devices shows it, in place of `deviceId`.', orNull(deviceText)),
    },
    not: { anyOf: [having('deviceId', 'device'), { not: { anyOf: [having('deviceId'), having('device')] } }] },
  },
  DeviceActivation: objectOf(
    {
      device,
      activatedAt: instant,
      ...seats,
      features: described('What the license allows. Absent for none.', named('Features')),
      entitlement: named('LicensedEntitlement'),
      receipt: described(
        'A receipt for this device. Null where none can be had: the seat is taken all the same.',
        orNull(named('IssuedReceipt')),
      ),
    },
    { optional: ['features'] },
  ),
  DeviceActivationAnswer: answerOf('DeviceActivation'),
  TrialRequest: {
    type: 'object',
    required: ['productId', 'deviceId'],
    properties: { productId: text, deviceId: deviceIdText },
  },
  StartedTrial: objectOf(
    {
      trial: described('The id of the trial, which the app shows to support.', text),
      tierId: text,
      startedAt: instant,
      endsAt: instant,
      features: named('Features'),
      receipt: named('IssuedReceipt'),
    },
    { optional: ['features'] },
  ),
  StartedTrialAnswer: answerOf('StartedTrial'),
  DeviceDeactivation: objectOf({ device, ...seats }),
  DeviceDeactivationAnswer: answerOf('DeviceDeactivation'),
  Device: objectOf({
    device,
    name: described('What the app has named it.', nullableText),
    activatedAt: instant,
    seenAt: described('When it was last known to be in use, to within a day.', instant),
    offlineUntil: described(
      'Until when an offline receipt lets it run, and only the seller can release it.',
      nullableInstant,
    ),
  }),
  LicenseDevices: objectOf({
    devices: described('Those that were not seen for the longest time first, 100 at most.', listOf(named('Device'))),
    ...seats,
  }),
  LicenseDevicesAnswer: answerOf('LicenseDevices'),
} as const;
