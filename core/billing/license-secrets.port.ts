import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';

/**
 * The secret from which license keys are derived. It is random, made once and never replaced, so that a key can be shown
 * again without being stored. Anybody who knows it can derive the keys.
 */
export interface LicenseSecret {
  readonly secret: string;
}

/** Identifies the only secret in stores and archives. */
export const licenseSecretId = 'latchkey';

/** The record of the license secret. It is never shown and never logged. */
export interface LicenseSecrets {
  /** Null if none has been made yet. */
  read(call: Call): Promise<LicenseSecret | null>;

  /** Stores the secret, unless there is one. */
  add(secret: LicenseSecret, call: Call): Promise<ReplaceOutcome>;
}
