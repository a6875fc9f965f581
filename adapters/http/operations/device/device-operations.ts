import { deviceIdRule, deviceNameRule, deviceRule } from '../../../../core/device/device.ts';
import type {
  DeactivateDevice,
  DeactivationRequest,
  ListLicenseDevices,
} from '../../../../core/device/license-devices.ts';
import type { Limited } from '../../../../core/device/seats.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import type { LicenseHolder } from '../../../../core/entitlement/license/find-licensed.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import type { ActivateDevice } from '../../../../core/receipt/activate-device.ts';
import { hasFeatures } from '../../../../core/tier/features.ts';
import { noStore, type Answer } from '../../answer.ts';
import { refuse } from '../../refusals.ts';
import { activationExample, deactivationExample, licenseDevicesExample } from '../docs/device-examples.ts';
import { licenses, type OperationDocs } from '../docs/operation-docs.ts';
import { checkLicense } from '../license-operations.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import { memberOf } from '../validation.ts';
import { dataBody, deviceView, licensedView, receiptView } from '../views.ts';

const activateDocs: OperationDocs = {
  tag: licenses,
  summary: 'Give a device a seat of a license, with a receipt for it.',
  description:
    'The same device again keeps its seat, so a lost answer or a new installation costs nothing. If all seats are taken, the answer is `device_limit`: list the devices, ask the user, and name one in `replace`. A device that was not seen for a long time makes room by itself. An unknown, a revoked and another product’s key get the same 404.',
  request: {
    schema: 'DeviceActivationRequest',
    example: { licenseKey: 'a-license-key-of-a-buyer', deviceId: '4f9c2f6a1d5e47d0', deviceName: 'Ada’s laptop' },
  },
  success: { description: 'The seat of the device.', schema: 'DeviceActivationAnswer', example: activationExample },
  refusals: [
    'malformed_license_key',
    'license_not_found',
    'no_access',
    'device_limit',
    'device_offline',
    'too_many_releases',
  ],
  acceptedScope: 'read:licenses',
};

const deactivateDocs: OperationDocs = {
  tag: licenses,
  summary: 'Release the seat of a device.',
  description:
    'Name the device by `deviceId` or, from the list, by `device`. A device without a seat is a success. How often apps may do so is limited by the seller. A released device runs on its receipt until that ends.',
  request: {
    schema: 'DeviceDeactivationRequest',
    example: { licenseKey: 'a-license-key-of-a-buyer', deviceId: '4f9c2f6a1d5e47d0' },
  },
  success: {
    description: 'The seats that are left.',
    schema: 'DeviceDeactivationAnswer',
    example: deactivationExample,
  },
  refusals: ['malformed_license_key', 'license_not_found', 'device_offline', 'too_many_releases'],
  acceptedScope: 'read:licenses',
};

const listDocs: OperationDocs = {
  tag: licenses,
  summary: 'List the devices of a license.',
  description: 'Everybody who has the key can list its devices, for example to choose one for `replace`.',
  request: {
    schema: 'LicenseVerificationRequest',
    example: { licenseKey: 'a-license-key-of-a-buyer', productId: 'prod_1' },
  },
  success: { description: 'The devices.', schema: 'LicenseDevicesAnswer', example: licenseDevicesExample },
  refusals: ['malformed_license_key', 'license_not_found'],
  acceptedScope: 'read:licenses',
};

interface DeviceUseCases {
  readonly activateDevice: ActivateDevice;
  readonly deactivateDevice: DeactivateDevice;
  readonly listLicenseDevices: ListLicenseDevices;
}

/** Seats of licenses. `issuer` is the `resource` of the RFC 9728 metadata. */
export function deviceOperations(
  { activateDevice, deactivateDevice, listLicenseDevices }: DeviceUseCases,
  issuer: () => string,
): readonly Operation[] {
  return [
    operation('activateDevice', 'activate', activateDocs, async ({ body, call }) => {
      const holder = holderIn(body);
      const deviceId = memberOf(body as object, 'deviceId', deviceIdRule);
      if (deviceId === null) throw refuse('invalid_body', { message: `deviceId ${deviceIdRule.rule}.` });
      const deviceName = memberOf(body as object, 'deviceName', deviceNameRule);
      const replace = memberOf(body as object, 'replace', deviceRule);
      const taken = await activateDevice({ ...holder, deviceId, deviceName, replace, issuer: issuer() }, call);
      const { device, entitlement, allowance, receipt } = taken;
      const { deviceLimit, features } = allowance;
      return [
        entitlement,
        {
          device: device.id,
          activatedAt: device.activatedAt.toISOString(),
          ...seatsOf({ ...entitlement, deviceLimit }),
          ...(hasFeatures(features) && { features }),
          entitlement: licensedView(snapshotAt(entitlement, call.now)),
          receipt: receipt && receiptView(receipt),
        },
      ];
    }),
    operation('deactivateDevice', 'deactivate', deactivateDocs, async ({ body, call }) => {
      const request = { ...holderIn(body), device: namedIn(body) };
      const { device, entitlement } = await deactivateDevice(request, call);
      return [entitlement, { device, ...seatsOf(entitlement) }];
    }),
    operation('listLicenseDevices', 'devices', listDocs, async ({ body, call }) => {
      const { devices, entitlement } = await listLicenseDevices(holderIn(body), call);
      return [entitlement, { devices: devices.map(deviceView), ...seatsOf(entitlement) }];
    }),
  ];
}

type Handle = (
  request: Pick<OperationRequest, 'body' | 'call'>,
) => Promise<readonly [Pick<Entitlement, 'id'>, data: object]>;

function operation(id: string, verb: string, docs: OperationDocs, handle: Handle): Operation {
  return {
    id,
    method: 'POST',
    path: `/api/licenses/${verb}`,
    caller: 'anyone',
    body: 'json',
    crossOrigin: true,
    errors: 'standard',
    docs,
    handle: async (request): Promise<Answer> => {
      const [entitlement, data] = await handle(request);
      const body = dataBody(JSON.stringify(data), request.call.correlationId);
      return { status: 200, body, cacheControl: noStore, entitlementId: entitlement.id };
    },
  };
}

function holderIn(body: unknown): LicenseHolder {
  const { licenseKey, productId } = checkLicense(body);
  return { licenseKey, productId: productId ?? null };
}

/** Exactly one of the two names of a device. */
function namedIn(body: unknown): DeactivationRequest['device'] {
  const deviceId = memberOf(body as object, 'deviceId', deviceIdRule);
  const device = memberOf(body as object, 'device', deviceRule);
  if (deviceId !== null && device === null) return { deviceId };
  if (device !== null && deviceId === null) return { device };
  throw refuse('invalid_body', { message: 'The request body must have either deviceId or device.' });
}

function seatsOf({ deviceLimit, devicesUsed }: Pick<Limited, 'deviceLimit' | 'devicesUsed'>): object {
  return { deviceLimit, devicesUsed };
}
