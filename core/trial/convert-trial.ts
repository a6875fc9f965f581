import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import type { LicensedDevice } from '../receipt/activate-device.ts';
import type { Digest } from '../secret.ts';
import { trialOf } from './trial.ts';
import type { Trials } from './trials.port.ts';

/**
 * Notes on the trial of a device, whether it has ended or not, that the device has a license now. The first license counts.
 * Reports whether it was noted.
 */
export type ConvertTrial = (device: LicensedDevice, call: Call) => Promise<boolean>;

export function convertTrial(trials: Trials, digest: Digest): ConvertTrial {
  return ({ productId, deviceId, entitlementId }, call) => {
    const id = trialOf(productId, deviceId, digest);
    return untilStored(call, async () => {
      const trial = await trials.find(id, call);
      if (trial === null || trial.converted !== null) return false;
      const next = { ...trial, converted: { at: call.now, entitlementId }, revision: trial.revision + 1 };
      return (await trials.replace(next, call)).kind === 'stale' ? 'stale' : true;
    });
  };
}
