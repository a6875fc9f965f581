import { Counter, type Registry } from '@prometheus-io/client';
import { Refusal, type RefusalCode } from '../../core/refusal.ts';
import type { ConvertTrial } from '../../core/trial/convert-trial.ts';
import type { StartTrial } from '../../core/trial/start-trial.ts';

const outcomes = ['started', 'present', 'ended', 'not_offered', 'converted'] as const;

const refused: { readonly [Code in RefusalCode]?: (typeof outcomes)[number] } = {
  trial_ended: 'ended',
  trial_not_offered: 'not_offered',
};

/** Counts the trials that apps ask for, and those whose devices got a license. */
export class TrialCounter {
  readonly #counter: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.#counter = new Counter({
      name: 'latchkey_trials_total',
      help: `Trials by outcome (${outcomes.join(', ')}).`,
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of outcomes) this.#counter.inc({ outcome }, 0);
  }

  counting(start: StartTrial): StartTrial {
    return async (...parameters) => {
      try {
        const started = await start(...parameters);
        this.#counter.inc({ outcome: started.kind });
        return started;
      } catch (error) {
        const outcome = error instanceof Refusal ? refused[error.code as RefusalCode] : undefined;
        if (outcome !== undefined) this.#counter.inc({ outcome });
        throw error;
      }
    };
  }

  converting(convert: ConvertTrial): ConvertTrial {
    return async (...parameters) => {
      const converted = await convert(...parameters);
      if (converted) this.#counter.inc({ outcome: 'converted' });
      return converted;
    };
  }
}
