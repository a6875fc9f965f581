import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Call } from '../../core/call.ts';

/** The operation by which apps ask for receipts. */
const operation = 'issueReceipt';

const outcomes = ['issued', 'unknown', 'no_access', 'malformed'] as const;

/** The outcome of a request by its `Error-Code`; others say nothing of a license. */
const outcomesByCode: ReadonlyMap<string | undefined, (typeof outcomes)[number]> = new Map([
  [undefined, 'issued'],
  ['license_not_found', 'unknown'],
  ['no_access', 'no_access'],
  ['malformed_license_key', 'malformed'],
  ['invalid_body', 'malformed'],
]);

/** Counts the receipts that apps ask for, and shows how old the key is that signs them. */
export class ReceiptMetrics {
  readonly #activeSince: (call: Call) => Promise<Date | null>;
  readonly #receipts: Counter<'outcome'>;
  readonly #age: Gauge;

  /** `activeSince` gives the instant since which the present key signs; null without keys. */
  constructor(activeSince: (call: Call) => Promise<Date | null>, registry: Registry) {
    this.#activeSince = activeSince;
    this.#receipts = new Counter({
      name: 'latchkey_receipts_total',
      help: 'Requests of apps for receipts by outcome (issued, unknown, no_access, malformed).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of outcomes) this.#receipts.inc({ outcome }, 0);
    this.#age = new Gauge({
      name: 'latchkey_signing_key_age_seconds',
      help: 'Time for which the present key has been signing receipts.',
      registers: [registry],
      aggregator: 'max',
    });
    this.#age.remove();
  }

  count(request: {
    readonly operation: string | undefined;
    readonly status: number | null;
    readonly errorCode: string | undefined;
  }): void {
    if (request.operation !== operation || request.status === null) return;
    const outcome = outcomesByCode.get(request.errorCode);
    if (outcome !== undefined) this.#receipts.inc({ outcome });
  }

  /** Keeps the known age if the keys cannot be read. */
  async refresh(call: Call): Promise<void> {
    const since = await this.#activeSince(call).catch(() => null);
    if (since !== null) this.#age.set(Math.max(0, call.now.getTime() - since.getTime()) / 1000);
  }
}
