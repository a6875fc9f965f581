import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { AllEntitlements } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { Entitlements, NoRecord } from '../../../core/entitlement/merchant/entitlements.port.ts';

/** Stores changes as the real store does, compare-and-set included, but drops their records. The checks must detect that. */
export class Forgetful implements Entitlements {
  readonly #all: AllEntitlements;
  readonly #real: Entitlements;

  constructor(all: AllEntitlements, real: Entitlements) {
    this.#all = all;
    this.#real = real;
  }

  find(id: string, productId: string, call: Call): Promise<Entitlement | null> {
    return this.#real.find(id, productId, call);
  }

  async replace(
    seen: Entitlement,
    next: Entitlement,
    _record: IdempotencyRecord,
    changeRecord: ChangeRecord | null,
    call: Call,
  ): Promise<ReplaceOutcome<NoRecord>> {
    if (changeRecord === null) return { kind: 'replaced' };
    const outcome = await this.#all.replace(seen, next, changeRecord, call);
    if (outcome.kind === 'license taken') throw new Error('a cancellation does not touch the license');
    return outcome;
  }
}
