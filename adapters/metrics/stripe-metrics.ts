import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { caseKinds, type StripeCases } from '../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../core/call.ts';
import type { ReadReceiverBacklog } from '../../core/receiver/own-receiver.ts';
import { OldestGauge } from './gauges.ts';
import {
  addressLookOutcomes,
  eventOutcomes,
  lookOutcomes,
  outgoingOutcomes,
  stripeRefusals,
  stripeReports,
  type StripeCount,
} from './reports.ts';

interface StripeSources {
  readonly outgoingBacklog: ReadReceiverBacklog;
  readonly stripeCases: Pick<StripeCases, 'count'>;
}

/** Counts the events of Stripe, the looks at it, and the changes that failed. */
export class StripeMetrics {
  readonly #events: Counter<'outcome'>;
  readonly #looks: Counter<'outcome'>;
  readonly #refused: Counter<'reason'>;
  readonly #unmapped: Counter;
  readonly #addressLooks: Counter<'outcome'>;
  readonly #out: Counter<'outcome'>;
  readonly #readBacklog: ReadReceiverBacklog;
  readonly #storedCases: StripeSources['stripeCases'];
  readonly #cases: Gauge<'kind'>;
  readonly #backlog: Gauge<'state'>;
  readonly #failing: OldestGauge;
  readonly #end: () => void;

  constructor({ outgoingBacklog, stripeCases }: StripeSources, registry: Registry) {
    const registers = [registry];
    this.#readBacklog = outgoingBacklog;
    this.#storedCases = stripeCases;
    const cases = 'Sales at Stripe that need a person, by kind.';
    this.#cases = new Gauge({ name: 'latchkey_stripe_cases', help: cases, labelNames: ['kind'], registers });
    const waiting = 'Changes that Stripe has not been sent, by state.';
    this.#backlog = new Gauge({ name: 'latchkey_stripe_out_backlog', help: waiting, labelNames: ['state'], registers });
    this.#failing = new OldestGauge(
      'latchkey_stripe_out_failing_seconds',
      'Time since changes for Stripe began to fail; 0 if the last one has arrived.',
      registry,
    );
    const events = 'Events of Stripe by outcome (looked, ignored, failed, invalid_signature).';
    this.#events = new Counter({
      name: 'latchkey_stripe_events_total',
      help: events,
      labelNames: ['outcome'],
      registers,
    });
    const looks = 'Looks at Stripe by outcome (granted, changed, unchanged, nothing, refused).';
    this.#looks = new Counter({ name: 'latchkey_stripe_looks_total', help: looks, labelNames: ['outcome'], registers });
    const refused = 'Sales that Latchkey cannot bring to what Stripe says, by reason.';
    this.#refused = new Counter({
      name: 'latchkey_stripe_refused_total',
      help: refused,
      labelNames: ['reason'],
      registers,
    });
    const unmapped = 'Looks at sales without a mapped price.';
    this.#unmapped = new Counter({ name: 'latchkey_stripe_unmapped_total', help: unmapped, registers });
    const out = 'Changes for Stripe by outcome (sent, agreed, dropped, refused, failed).';
    this.#out = new Counter({ name: 'latchkey_stripe_out_total', help: out, labelNames: ['outcome'], registers });
    const addresses = 'Looks for e-mail addresses at Stripe by outcome (found, none, failed).';
    this.#addressLooks = new Counter({
      name: 'latchkey_address_looks_total',
      help: addresses,
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of addressLookOutcomes) this.#addressLooks.inc({ outcome }, 0);
    for (const outcome of outgoingOutcomes) this.#out.inc({ outcome }, 0);
    for (const outcome of eventOutcomes) this.#events.inc({ outcome }, 0);
    for (const outcome of lookOutcomes) this.#looks.inc({ outcome }, 0);
    for (const reason of stripeRefusals) this.#refused.inc({ reason }, 0);
    this.#end = stripeReports.listen((count) => this.#count(count));
  }

  /** Reads the values of the store. They stay as they were if it cannot be read. */
  async refresh(call: Call): Promise<void> {
    await Promise.all([this.#refreshCases(call), this.#refreshBacklog(call)]);
  }

  async #refreshCases(call: Call): Promise<void> {
    const counts = await this.#storedCases.count(call).catch(() => null);
    if (counts === null) return;
    for (const kind of caseKinds) this.#cases.set({ kind }, counts.get(kind) ?? 0);
  }

  async #refreshBacklog(call: Call): Promise<void> {
    const backlog = await this.#readBacklog(call).catch(() => null);
    if (backlog === null) return;
    this.#backlog.set({ state: 'pending' }, backlog.pending);
    this.#backlog.set({ state: 'parked' }, backlog.parked);
    this.#failing.set(backlog.failingSince, call);
  }

  close(): void {
    this.#end();
  }

  #count(count: StripeCount): void {
    switch (count.kind) {
      case 'event':
        this.#events.inc({ outcome: count.outcome });
        return;
      case 'look':
        this.#looks.inc({ outcome: count.outcome });
        return;
      case 'refused':
        this.#refused.inc({ reason: count.reason });
        return;
      case 'out':
        this.#out.inc({ outcome: count.outcome });
        return;
      case 'address look':
        this.#addressLooks.inc({ outcome: count.outcome });
        return;
      case 'unmapped':
        this.#unmapped.inc();
    }
  }
}
