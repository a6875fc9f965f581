import type { Administration } from '../../core/administration/administration.ts';
import { saleEvent } from '../../core/affiliate/sale/sale-event.ts';
import type { Sales } from '../../core/affiliate/sale/sales.port.ts';
import type { StripeCases } from '../../core/billing/stripe-cases.port.ts';
import type { Actor, Call } from '../../core/call.ts';
import { untilStored } from '../../core/compare-and-set.ts';
import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { Grant } from '../../core/entitlement/grant.ts';
import type { NewId } from '../../core/identifier.ts';
import { Refusal } from '../../core/refusal.ts';
import { asUnavailable } from './client/ask-stripe.ts';
import { markOf } from './decision/cancellation-mark.ts';
import { LookReports } from './look/look-reports.ts';
import type { DeriveKey, KeepSeen, Look, LookAt, SendLeft } from './look/look.ts';
import { recordCases, watched } from './look/record-cases.ts';
import type { ReportOnStripe } from './look/report.ts';
import { decideSale } from './look/sale-reading.ts';
import { seenThere } from './look/seen-there.ts';
import { readAndDecide, type Step, type StepParts, type Subject } from './look/step.ts';

export interface LookParts extends StepParts {
  readonly administration: Pick<
    Administration,
    'findEntitlement' | 'listEntitlements' | 'grantEntitlement' | 'alignEntitlement' | 'runSeenCommand'
  >;
  readonly deriveKey: DeriveKey;
  readonly keepSeen: KeepSeen;
  readonly sendLeft: SendLeft;
  readonly sales: Pick<Sales, 'find' | 'replace'>;
  /** The sales that need a person. */
  readonly cases: Pick<StripeCases, 'find' | 'put' | 'remove'>;
  readonly newEventId: NewId;
  readonly report: ReportOnStripe;
  /** Who makes the changes. Default: `stripe`. */
  readonly by?: Actor;
}

/** Makes the look, which is the only way by which Stripe changes an entitlement. */
export function lookAt(parts: LookParts): LookAt {
  return async (id, call) => {
    try {
      const byStripe: Call = { ...call, by: parts.by ?? 'stripe', products: null };
      const looks = new Looks(parts, { id, session: null });
      const look = await untilStored(byStripe, () => looks.next(byStripe));
      parts.report({ kind: 'looked', look }, call.correlationId);
      return look;
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}

/** The looks at one subscription or purchase. */
class Looks {
  readonly #parts: LookParts;
  #subject: Subject;
  #outcome: Extract<Look, { readonly kind: 'aligned' }>['outcome'] = 'unchanged';
  readonly #reports: LookReports;
  /** Whether this look has ended the changes that are left at Stripe. Once: Stripe may refuse it. */
  #hasSentLeft = false;
  /** The code with which the grant was refused. */
  #refusedGrant: string | null = null;

  constructor(parts: LookParts, subject: Subject) {
    this.#parts = parts;
    this.#subject = subject;
    this.#reports = new LookReports(parts.report, subject.id);
  }

  /** Looks once more. Returns `stale` after a write, and if others have written meanwhile. */
  async next(call: Call): Promise<Look | 'stale'> {
    const { cases } = this.#parts;
    const take = (): Promise<Step> => readAndDecide(this.#parts, this.#subject, call);
    const found = await watched(cases, this.#subject.id, take, call);
    const { step } = found;
    this.#subject = step.subject;
    this.#reports.found(step, call);
    this.#refusedGrant = null;
    const { entitlement, newlySeen } = step;
    if (entitlement !== null && newlySeen !== null) await this.#parts.keepSeen(entitlement, newlySeen, call);
    const isSaleChanged = await this.#keepSale(step, call);
    const look = await this.#carryOut(step, call);
    if (look === 'stale' || isSaleChanged) return 'stale';
    const recorded = await recordCases(cases, found, call, { refusedGrant: this.#refusedGrant });
    if (recorded === 'added') return 'stale';
    return (await this.#sendLeft(step, call)) ? 'stale' : look;
  }

  /** Brings the payments into the sale of an affiliate. Returns whether it was to be changed, so that this is looked at again. */
  async #keepSale({ sale }: Step, call: Call): Promise<boolean> {
    if (sale === null) return false;
    this.#reports.paid(sale, call);
    const next = decideSale(sale, call.now);
    if (next === sale.seen) return false;
    const event = sale.seen === null ? saleEvent(next, call, this.#parts.newEventId) : null;
    await this.#parts.sales.replace(sale.seen, next, event, call);
    return true;
  }

  async #sendLeft({ entitlement, left: parts, state }: Step, call: Call): Promise<boolean> {
    if (entitlement === null || state === null || parts.length === 0 || this.#hasSentLeft) return false;
    await this.#parts.sendLeft(entitlement, { parts, seen: seenThere(state.subscription) }, call);
    this.#hasSentLeft = true;
    return true;
  }

  async #carryOut(step: Step, call: Call): Promise<Look | 'stale'> {
    const { decision, entitlement } = step;
    const { administration } = this.#parts;
    switch (decision.kind) {
      case 'nothing':
        return decision;
      case 'refused':
        return this.#reports.refused(decision.reason, call);
      case 'grant':
        return this.#grant(decision.grant, call);
      case 'agreed':
        return this.#agreed(entitlement);
      case 'align':
      case 'command': {
        const seen = known(entitlement);
        const { kind } = await (decision.kind === 'align'
          ? administration.alignEntitlement(seen, decision.target, call)
          : administration.runSeenCommand(seen, decision.command, call));
        if (kind === 'unchanged') return this.#unchanged(step, seen, call);
        if (kind === 'changed') this.#changed(step, call);
        return 'stale';
      }
    }
  }

  #changed({ decision, pending }: Step, { correlationId }: Call): void {
    if (this.#outcome === 'unchanged') this.#outcome = 'changed';
    const isCanceled = decision.kind === 'align' && decision.target.cancellation.kind === 'at';
    if (pending?.kind === 'resume' && isCanceled) {
      this.#parts.report({ kind: 'dropped', id: this.#subject.id }, correlationId);
    }
  }

  async #unchanged(step: Step, seen: Entitlement, call: Call): Promise<Look> {
    const { decision } = step;
    const at = decision.kind === 'align' ? decision.target.cancellation : null;
    const canceledAt = at?.kind === 'at' ? at.requestedAt : null;
    const cancellation = seen.kind === 'subscription' ? seen.cancellation : null;
    // The entitlement keeps it for one that was taken over from Stripe.
    if (canceledAt !== null && cancellation !== null && cancellation.requestedAt.getTime() !== canceledAt.getTime()) {
      await this.#parts.keepSeen(seen, { kind: 'seen', at: canceledAt, mark: markIn(step) }, call);
    }
    return this.#agreed(seen);
  }

  #agreed(entitlement: Entitlement | null): Look {
    return { kind: 'aligned', entitlement: known(entitlement), outcome: this.#outcome };
  }

  /** A grant is looked at again, as every write: Stripe may have changed meanwhile. */
  async #grant(grant: Grant, call: Call): Promise<Look | 'stale'> {
    const { id } = this.#subject;
    const licenseKey = await this.#parts.deriveKey(id, call);
    try {
      await this.#parts.administration.grantEntitlement({ grant, id, licenseKey }, call);
      this.#outcome = 'granted';
      return 'stale';
    } catch (error) {
      if (!(error instanceof Refusal) || isFailure(error)) throw error;
      if (error.code === 'entitlement_exists') return 'stale';
      this.#refusedGrant = error.code;
      return this.#reports.refused('grant_refused', call, error.code);
    }
  }
}

function markIn({ state }: Step): string | null {
  return state === null ? null : markOf(state.subscription);
}

function isFailure({ code }: Refusal): boolean {
  return code === 'store_unavailable' || code === 'changed_meanwhile';
}

function known(entitlement: Entitlement | null): Entitlement {
  if (entitlement === null) throw new Error('the decision is about an entitlement that is unknown');
  return entitlement;
}
