import type { LicenseSecret, LicenseSecrets } from '../../../core/billing/license-secrets.port.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryLicenseSecrets implements LicenseSecrets {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async read(): Promise<LicenseSecret | null> {
    return this.#store.licenseSecret;
  }

  async add(secret: LicenseSecret): Promise<ReplaceOutcome> {
    if (this.#store.licenseSecret !== null) return { kind: 'stale' };
    this.#store.licenseSecret = secret;
    return { kind: 'replaced' };
  }
}
