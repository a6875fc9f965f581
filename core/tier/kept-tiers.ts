import type { Call, MonotonicClock } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import { KeptValue } from '../kept-value.ts';
import { tierTable, type KnownTiers, type TierTable } from './allowance.ts';
import type { TierEvent } from './tier-event.ts';
import type { DeclaredTier, Tier } from './tier.ts';
import type { Tiers } from './tiers.port.ts';

/** The tiers as a process knows them, at most ten seconds old, so that no read of an entitlement costs another one. */
export class KeptTiers implements Tiers {
  readonly #tiers: Tiers;
  readonly #kept: KeptValue<TierTable>;

  constructor(tiers: Tiers, clock: MonotonicClock) {
    this.#tiers = tiers;
    this.#kept = new KeptValue(async (call) => tierTable(await tiers.all(call)), clock);
  }

  readonly known: KnownTiers = (call) => this.#kept.known(call);

  find(productId: string, id: string, call: Call): Promise<Tier | null> {
    return this.#tiers.find(productId, id, call);
  }

  page(productId: string, after: string | null, limit: number, call: Call): Promise<readonly DeclaredTier[]> {
    return this.#tiers.page(productId, after, limit, call);
  }

  all(call: Call): Promise<readonly DeclaredTier[]> {
    return this.#tiers.all(call);
  }

  /** A change by this process is known to it at its next read. */
  replace(next: Tier, event: TierEvent, call: Call): Promise<ReplaceOutcome> {
    return this.#kept.write(
      () => this.#tiers.replace(next, event, call),
      () => 'nothing',
    );
  }
}
