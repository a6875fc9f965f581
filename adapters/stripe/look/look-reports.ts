import type { Call } from '../../../core/call.ts';
import type { Decision, LookRefusal } from '../decision/decision.ts';
import type { Look } from './look.ts';
import type { ReportOnStripe } from './report.ts';
import { leftOut, type SaleReading } from './sale-reading.ts';
import type { Step } from './step.ts';

/** The reports of the looks at one subscription or purchase, each once. */
export class LookReports {
  readonly #report: ReportOnStripe;
  /** The id of the last step's subject: a session may have become a subscription. */
  #id: string;
  #hasReportedPrices = false;
  #hasReportedProducts = false;
  #hasReportedStatus = false;
  #hasReportedPayments = false;
  #hasReportedSeller = false;
  #reportedRefusal: LookRefusal | null = null;

  constructor(report: ReportOnStripe, id: string) {
    this.#report = report;
    this.#id = id;
  }

  /** Reports the findings of a step, beside its decision. */
  found(step: Step, call: Call): void {
    this.#id = step.subject.id;
    this.#reportPrices(step, call);
    this.#reportStatus(step, call);
    this.#reportUnattributed(step, call);
  }

  /** Reports once the payments that earn an affiliate nothing. */
  paid(reading: SaleReading, { correlationId }: Call): void {
    const { otherCurrency, tooMany } = leftOut(reading);
    if (this.#hasReportedPayments || otherCurrency + tooMany === 0) return;
    this.#hasReportedPayments = true;
    this.#report({ kind: 'payments left out', sale: reading.sale.id, otherCurrency, tooMany }, correlationId);
  }

  /** Reports a refusal, unless it is the last one again. */
  refused(reason: LookRefusal, call: Call, code?: string): Look {
    if (this.#reportedRefusal !== reason) {
      this.#report(
        { kind: 'refused', reason, id: this.#loggedId, ...(code !== undefined && { code }) },
        call.correlationId,
      );
    }
    this.#reportedRefusal = reason;
    return { kind: 'refused', reason, entitlementId: this.#id };
  }

  /** Reports once which prices the decision leaves out. */
  #reportPrices({ decision, prices, sold: { mapping, same, others }, forPerson }: Step, { correlationId }: Call): void {
    const id = this.#loggedId;
    if (forPerson.length > 0 && !this.#hasReportedProducts) {
      this.#hasReportedProducts = true;
      this.#report({ kind: 'several products', id, prices: forPerson.map(({ price }) => price) }, correlationId);
    }
    if (this.#hasReportedPrices || !dependsOnPrice(decision)) return;
    this.#hasReportedPrices = true;
    if (mapping === null) this.#report({ kind: 'unmapped', id, prices }, correlationId);
    else if (others.length === 0 && same.length < prices.length) {
      const ignored = prices.filter((_price, at) => !same.some(({ index }) => index === at));
      this.#report({ kind: 'several prices', id, used: mapping.price, ignored }, correlationId);
    }
  }

  #reportStatus({ unknownStatus: status }: Step, { correlationId }: Call): void {
    if (this.#hasReportedStatus || status === null) return;
    this.#hasReportedStatus = true;
    this.#report({ kind: 'unknown status', id: this.#id, status }, correlationId);
  }

  #reportUnattributed({ unattributed: reason }: Step, { correlationId }: Call): void {
    if (this.#hasReportedSeller || reason === null) return;
    this.#hasReportedSeller = true;
    this.#report({ kind: 'unattributed', id: this.#loggedId, reason }, correlationId);
  }

  /** The id for the log. Anybody who knows the id of a session can claim the key. */
  get #loggedId(): string | null {
    return this.#id.startsWith('cs_') ? null : this.#id;
  }
}

function dependsOnPrice(decision: Decision): boolean {
  switch (decision.kind) {
    case 'grant':
      return true;
    case 'align':
      return decision.target.endedAt === null;
    case 'nothing':
      return decision.reason === 'unmapped_price';
    case 'command':
    case 'agreed':
    case 'refused':
      return false;
  }
}
