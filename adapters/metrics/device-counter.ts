import { Counter, type Registry } from '@prometheus-io/client';
import type { ActivateDevice } from '../../core/receipt/activate-device.ts';
import { Refusal, type RefusalCode } from '../../core/refusal.ts';

const outcomes = ['activated', 'present', 'limit', 'unknown', 'no_access'] as const;

/** The outcome of a refused activation; other refusals say nothing of a license. */
const outcomesByCode: ReadonlyMap<RefusalCode, (typeof outcomes)[number]> = new Map([
  ['license_not_found', 'unknown'],
  ['no_access', 'no_access'],
  // A device that may not go now leaves all seats taken.
  ['device_limit', 'limit'],
  ['device_offline', 'limit'],
  ['too_many_releases', 'limit'],
]);

/** Counts the seats that apps ask for, by outcome. */
export class DeviceCounter {
  readonly #counter: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.#counter = new Counter({
      name: 'latchkey_devices_total',
      help: 'Activations of devices by outcome (activated, present, limit, unknown, no_access).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of outcomes) this.#counter.inc({ outcome }, 0);
  }

  /** Wraps the activation of devices so that each outcome is counted. */
  counting(activateDevice: ActivateDevice): ActivateDevice {
    return async (...parameters) => {
      try {
        const activation = await activateDevice(...parameters);
        this.#counter.inc({ outcome: activation.kind });
        return activation;
      } catch (error) {
        const outcome = error instanceof Refusal ? outcomesByCode.get(error.code) : undefined;
        if (outcome !== undefined) this.#counter.inc({ outcome });
        throw error;
      }
    };
  }
}
