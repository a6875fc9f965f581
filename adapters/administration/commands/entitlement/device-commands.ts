import { deviceRule, type Device } from '../../../../core/device/device.ts';
import type { ReleasedSeats } from '../../../../core/device/manage-devices.ts';
import { command, type CommandGroup, type Outcome } from '../../declaration/command.ts';
import { subject } from '../../declaration/member.ts';
import {
  count,
  described,
  instant,
  listOf,
  named,
  nullableInstant,
  nullableText,
  objectOf,
  text,
} from '../../declaration/schema-parts.ts';

const id = { ...subject('<entitlement>', 'the id of the entitlement'), inPath: 'id' };
const device = { ...subject('<device>', 'the device, as the list shows it', deviceRule), inPath: 'device' };

const columns = ['device', 'name', 'activatedAt', 'seenAt', 'offlineUntil'] as const;

function deviceView({ id: of, name, activatedAt, seenAt, offlineUntil }: Device): object {
  return { device: of, name, activatedAt, seenAt, offlineUntil };
}

function releasedOutcome({ released, entitlement }: ReleasedSeats): Outcome {
  const { deviceLimit, devicesUsed } = entitlement;
  return { data: { released, deviceLimit, devicesUsed }, entitlementId: entitlement.id };
}

const lineOf = ({ released, entitlement }: ReleasedSeats) =>
  released === 0 ? null : { entitlementId: entitlement.id, productId: entitlement.productId, released };

export const deviceCommands: CommandGroup = {
  name: 'device',
  tag: { name: 'Devices', description: 'The devices that have seats of an entitlement.' },
  schemas: {
    Device: objectOf({
      device: described('`dev_` and 22 characters.', text),
      name: described('What the app has named it.', nullableText),
      activatedAt: instant,
      seenAt: described('When it was last known to be in use, to within a day.', instant),
      offlineUntil: described('The end of its last offline receipt.', nullableInstant),
    }),
    EntitlementDevices: objectOf({
      devices: described('Those that were not seen for the longest time first.', listOf(named('Device'))),
      deviceLimit: described('Null without a limit.', { type: ['integer', 'null'] }),
      devicesUsed: count,
    }),
    ReleasedDevices: objectOf({
      released: described('How many devices have lost their seats.', count),
      deviceLimit: described('Null without a limit.', { type: ['integer', 'null'] }),
      devicesUsed: count,
    }),
  },
  commands: [
    command({
      verb: 'list',
      does: 'list the devices that have seats of an entitlement',
      operation: {
        id: 'listDevices',
        route: 'GET /admin/entitlements/:id/devices',
        access: 'admin:read',
        summary: 'List the devices of an entitlement.',
        description: 'All of them, those that were not seen for the longest time first.',
        answer: { schema: 'EntitlementDevicesAnswer', description: 'The devices.' },
        refusals: ['entitlement_not_found'],
      },
      members: { id },
      run: async ({ listDevices }, values, call) => {
        const { devices, entitlement } = await listDevices(values.id, call);
        const { deviceLimit, devicesUsed } = entitlement;
        return {
          data: { devices: devices.map(deviceView), deviceLimit, devicesUsed },
          table: { member: 'devices', columns },
          entitlementId: entitlement.id,
        };
      },
    }),
    command({
      verb: 'release',
      does: 'release the seat of a device; it runs on until its receipt ends',
      operation: {
        id: 'releaseDevice',
        route: 'POST /admin/entitlements/:id/devices/:device/release',
        access: 'admin:entitlements',
        summary: 'Release the seat of a device.',
        description:
          'Whatever apps may do, and also while it has an offline receipt. The device may take a seat again. Repeating it changes nothing.',
        answer: { schema: 'ReleasedDevicesAnswer', description: 'The seats that are left.' },
        refusals: ['entitlement_not_found', 'changed_meanwhile'],
      },
      members: { id, device },
      hasBatch: false,
      log: { releaseDevice: lineOf },
      run: async ({ releaseDevice }, values, call) =>
        releasedOutcome(await releaseDevice(values.id, values.device, call)),
    }),
    command({
      verb: 'clear',
      does: 'release the seats of all devices of an entitlement',
      operation: {
        id: 'clearDevices',
        route: 'POST /admin/entitlements/:id/devices/clear',
        access: 'admin:entitlements',
        summary: 'Release the seats of all devices.',
        description: 'A hundred in each write. If it is interrupted, a repeat goes on.',
        answer: { schema: 'ReleasedDevicesAnswer', description: 'The seats that are left.' },
        refusals: ['entitlement_not_found', 'changed_meanwhile'],
      },
      members: { id },
      log: { clearDevices: lineOf },
      run: async ({ clearDevices }, values, call) => releasedOutcome(await clearDevices(values.id, call)),
    }),
  ],
};
