import type { SharedOptions } from './request.ts';

/** How long a call may take, in milliseconds, and how often it is tried again. */
export interface Limits {
  readonly timeout: number;
  readonly retries: number;
}

/** Maximum timeout: a timer of more than 2^31 - 1 milliseconds would fire at once. */
const maxTimeout = 24 * 3_600_000;

/** The limits of a call or a client. Throws `RangeError` for one that cannot be used. */
export function limitsOf(options: SharedOptions, defaults: Limits): Limits {
  const { timeout = defaults.timeout, retries = defaults.retries } = options;
  if (!(timeout > 0 && timeout <= maxTimeout))
    throw new RangeError(`timeout must be milliseconds, above 0 and at most ${maxTimeout}`);
  if (!Number.isInteger(retries) || retries < 0) throw new RangeError('retries must be an integer from 0');
  return { timeout, retries };
}
