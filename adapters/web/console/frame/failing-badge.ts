import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import { reachOf, type OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import type { TroubledEndpoint } from '../../../../core/overview/troubled-endpoints.ts';
import { reachName } from '../../../../core/reach.ts';
import { KeptReading } from './kept-reading.ts';

/** Counts the endpoints that fail or were disabled for failing, of those that a caller reaches. */
export class FailingBadge {
  readonly #troubled: KeptReading<readonly TroubledEndpoint[]>;
  /** The last counts by reach. */
  readonly #known = new Map<string, number>();

  constructor({ findTroubledEndpoints }: Pick<Administration, 'findTroubledEndpoints'>) {
    this.#troubled = new KeptReading(findTroubledEndpoints);
  }

  /** No page is refused because they cannot be counted. */
  async count(call: Call): Promise<number> {
    const reach = reachName(call.products);
    try {
      const endpoints = await this.#troubled.read(call);
      const failing = endpoints.filter((each) => each.endpoint.reason !== null || each.failing !== null);
      this.#known.set(reach, failing.length);
    } catch {
      // The last count stays.
    }
    return this.#known.get(reach) ?? 0;
  }

  /** The last count for a key. */
  known(key: Pick<OperatorKey, 'products'>): number {
    return this.#known.get(reachName(reachOf(key))) ?? 0;
  }

  /** Counts again the next time, because something was changed here. */
  forget(): void {
    this.#troubled.forget();
  }
}
