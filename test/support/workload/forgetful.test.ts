import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { AllEntitlements } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { Entitlements, NoRecord } from '../../../core/entitlement/merchant/entitlements.port.ts';
import { aSubscription } from '../builders.ts';
import { appKeys } from '../http/fixtures.ts';
import { startService } from '../http/service-hooks.ts';
import { range } from '../range.ts';
import { memory } from '../stores/stores.ts';
import { violations } from './history.ts';
import { HttpTraffic } from './http-traffic.ts';

/** Stores changes as the real store does, compare-and-set included, but drops their records. */
class Forgetful implements Entitlements {
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

describe('a service that forgets idempotency keys', () => {
  it('fails the check of histories when its requests are repeated', async () => {
    const service = await startService(memory, {
      clock: () => new Date(),
      rebind: (container) => {
        const forgetful = new Forgetful(container.get(tokens.allEntitlements), container.get(tokens.entitlements));
        container.rebind(tokens.entitlements).toConstantValue(forgetful);
        container.rebind(tokens.idempotencyRecords).toConstantValue({ find: async () => null });
      },
    });
    try {
      const ids = range(3).map((index) => `ent_${index}`);
      const end = new Date('2099-01-01T00:00:00.000Z');
      await service.grant(...ids.map((id) => aSubscription({ id, currentPeriodEnd: end, graceUntil: end })));
      const traffic = new HttpTraffic(appKeys.full, ids, () => [service.url]);
      const before = await traffic.read();
      const clients = traffic.run();
      await traffic.progress(20);
      traffic.stop();
      await clients;
      await traffic.repeatAll();
      const history = { before, attempts: traffic.attempts, after: await traffic.read() };
      expect(violations(history)).not.to.deep.equal([]);
    } finally {
      await service.stop();
    }
  });
});
