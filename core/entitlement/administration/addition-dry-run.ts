import type { Call } from '../../call.ts';
import type { AddOutcome, AllEntitlements } from './all-entitlements.port.ts';
import type { Entitlement } from '../entitlement.ts';

/**
 * Returns the outcomes that `AllEntitlements.add` would have, and adds nothing. It remembers the ids and license
 * digests that it would have added, so that later batches conflict with them: use one for each import.
 */
export class AdditionDryRun implements Pick<AllEntitlements, 'add'> {
  readonly #entitlements: Pick<AllEntitlements, 'findExisting'>;
  readonly #ids = new Set<string>();
  readonly #digests = new Set<string>();

  constructor(entitlements: Pick<AllEntitlements, 'findExisting'>) {
    this.#entitlements = entitlements;
  }

  async add(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]> {
    const ids = entitlements.map(({ id }) => id);
    const digests = entitlements.flatMap(({ license }) => (license === null ? [] : [license.digest]));
    const stored = await this.#entitlements.findExisting({ ids, digests }, call);
    return entitlements.map(({ id, license }) => {
      if (stored.ids.has(id) || this.#ids.has(id)) return { kind: 'id taken' };
      if (license !== null) {
        if (stored.digests.has(license.digest) || this.#digests.has(license.digest)) return { kind: 'license taken' };
        this.#digests.add(license.digest);
      }
      this.#ids.add(id);
      return { kind: 'added' };
    });
  }
}
