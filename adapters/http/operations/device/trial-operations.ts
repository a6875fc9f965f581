import { deviceIdRule } from '../../../../core/device/device.ts';
import { hasFeatures } from '../../../../core/tier/features.ts';
import type { StartTrial } from '../../../../core/trial/start-trial.ts';
import { noStore } from '../../answer.ts';
import { refuse } from '../../refusals.ts';
import { trialExample } from '../docs/device-examples.ts';
import { licenses, type OperationDocs } from '../docs/operation-docs.ts';
import type { Operation } from '../operation.ts';
import { objectIn } from '../validation.ts';
import { dataBody, receiptView } from '../views.ts';

const trialDocs: OperationDocs = {
  tag: licenses,
  summary: 'Start the trial of a device, with a receipt for it.',
  description:
    'For an app whose user has no license key yet. The same device gets the same trial again, with the same end. The receipt holds until then, also without a network.',
  request: { schema: 'TrialRequest', example: { productId: 'prod_1', deviceId: '4f9c2f6a1d5e47d0' } },
  success: { description: 'The trial.', schema: 'StartedTrialAnswer', example: trialExample },
  refusals: ['trial_not_offered', 'trial_ended', 'clock_not_trusted'],
  acceptedScope: 'read:licenses',
};

/** Trials of devices. `issuer` is the `resource` of the RFC 9728 metadata. */
export function trialOperations(startTrial: StartTrial, issuer: () => string): readonly Operation[] {
  return [
    {
      id: 'startTrial',
      method: 'POST',
      path: '/api/licenses/trial',
      caller: 'anyone',
      body: 'json',
      crossOrigin: true,
      errors: 'standard',
      docs: trialDocs,
      handle: async ({ body, call, admitTrial }) => {
        const { productId, deviceId: given } = objectIn(body);
        if (typeof productId !== 'string') throw refuse('invalid_body', { message: 'productId must be a string.' });
        const deviceId = deviceIdRule.read(given);
        if (deviceId === null) throw refuse('invalid_body', { message: `deviceId ${deviceIdRule.rule}.` });
        const { trial, allowance, receipt } = await startTrial(
          { productId, deviceId, issuer: issuer() },
          admitTrial,
          call,
        );
        const { id, tierId, startedAt, endsAt } = trial;
        const { features } = allowance;
        const data = {
          trial: id,
          tierId,
          startedAt,
          endsAt,
          ...(hasFeatures(features) && { features }),
          receipt: receiptView(receipt),
        };
        return { status: 200, body: dataBody(JSON.stringify(data), call.correlationId), cacheControl: noStore };
      },
    },
  ];
}
