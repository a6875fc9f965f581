import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Call } from '../../core/call.ts';
import { mailKinds, mailOutcomes } from '../../core/mail/mailing.ts';
import type { ReadReceiverBacklog } from '../../core/receiver/own-receiver.ts';
import { mailReports } from './reports.ts';

/** Counts the mails, and shows what waits to be mailed. */
export class MailMetrics {
  readonly #readBacklog: ReadReceiverBacklog;
  readonly #pending: Gauge;
  readonly #parked: Gauge;
  readonly #end: () => void;

  constructor(readBacklog: ReadReceiverBacklog, registry: Registry) {
    const registers = [registry];
    this.#readBacklog = readBacklog;
    const mails = new Counter({
      name: 'latchkey_mails_total',
      help: `Mails by kind (${mailKinds.join(', ')}) and outcome (${mailOutcomes.join(', ')}).`,
      labelNames: ['kind', 'outcome'],
      registers,
    });
    for (const kind of mailKinds) for (const outcome of mailOutcomes) mails.inc({ kind, outcome }, 0);
    const pending = 'Events whose mails are due or wait for their next attempt.';
    this.#pending = new Gauge({ name: 'latchkey_mails_pending', help: pending, registers });
    const parked = 'Events whose mails have failed for the last time.';
    this.#parked = new Gauge({ name: 'latchkey_mails_parked', help: parked, registers });
    this.#end = mailReports.listen(({ kind, outcome }) => mails.inc({ kind, outcome }));
  }

  /** Reads the values of the store. They stay as they were if it cannot be read. */
  async refresh(call: Call): Promise<void> {
    const backlog = await this.#readBacklog(call).catch(() => null);
    if (backlog === null) return;
    this.#pending.set(backlog.pending);
    this.#parked.set(backlog.parked);
  }

  close(): void {
    this.#end();
  }
}
