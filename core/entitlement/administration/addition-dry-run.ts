import type { Call } from '../../call.ts';
import type { Entitlement } from '../entitlement.ts';
import {
  referenceKey,
  type Addition,
  type AddOutcome,
  type AllEntitlements,
  type EntitlementKeys,
} from './all-entitlements.port.ts';

/**
 * Returns the outcomes that `AllEntitlements.add` would have, and adds nothing. It remembers the ids, license digests and
 * references that it would have added, so that later batches conflict with them: use one for each import.
 */
export class AdditionDryRun implements Pick<AllEntitlements, 'add' | 'findExisting'> {
  readonly #entitlements: Pick<AllEntitlements, 'findExisting'>;
  readonly #added: EntitlementKeys<Set<string>> = { ids: new Set(), digests: new Set(), references: new Set() };

  constructor(entitlements: Pick<AllEntitlements, 'findExisting'>) {
    this.#entitlements = entitlements;
  }

  findExisting(keys: EntitlementKeys<readonly string[]>, call: Call): Promise<EntitlementKeys<ReadonlySet<string>>> {
    return this.#entitlements.findExisting(keys, call);
  }

  async add(additions: readonly Addition[], call: Call): Promise<readonly AddOutcome[]> {
    const entitlements = additions.map(({ entitlement }) => entitlement);
    const ids = entitlements.map(({ id }) => id);
    const digests = entitlements.flatMap(({ license }) => (license === null ? [] : [license.digest]));
    const references = entitlements.map(referenceOf).filter((key) => key !== null);
    const stored = await this.#entitlements.findExisting({ ids, digests, references }, call);
    return entitlements.map((entitlement) => this.#outcomeOf(entitlement, stored));
  }

  #outcomeOf(entitlement: Entitlement, stored: EntitlementKeys<ReadonlySet<string>>): AddOutcome {
    const { ids, digests, references } = this.#added;
    const { id, license } = entitlement;
    const reference = referenceOf(entitlement);
    if (stored.ids.has(id) || ids.has(id)) return { kind: 'id taken' };
    if (license !== null && (stored.digests.has(license.digest) || digests.has(license.digest))) {
      return { kind: 'license taken' };
    }
    if (reference !== null && (stored.references.has(reference) || references.has(reference))) {
      return { kind: 'reference taken' };
    }
    ids.add(id);
    if (license !== null) digests.add(license.digest);
    if (reference !== null) references.add(reference);
    return { kind: 'added' };
  }
}

function referenceOf({ productId, reference }: Entitlement): string | null {
  return reference === null ? null : referenceKey(productId, reference);
}
