import type { Administration } from '../../core/administration/administration.ts';
import type { PriceMap } from '../../core/billing/price-map.port.ts';
import type { Call } from '../../core/call.ts';
import { untilStored } from '../../core/compare-and-set.ts';
import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { Grant } from '../../core/entitlement/grant.ts';
import { Refusal } from '../../core/refusal.ts';
import { askStripe, asUnavailable } from './client/ask-stripe.ts';
import type { StripeClient } from './client/create-stripe.ts';
import { decidePurchase } from './decision/decide-purchase.ts';
import { decideSubscription } from './decision/decide-subscription.ts';
import type { Decision } from './decision/decision.ts';
import { soldBy, type Sold } from './decision/sold-price.ts';
import type { DeriveKey, Look, LookAt, ReadPending } from './look/look.ts';
import type { ReportOnStripe } from './look/report.ts';
import { readSession } from './reading/session-state.ts';
import { readSubscription } from './reading/subscription-state.ts';

export interface LookParts {
  readonly stripe: StripeClient;
  readonly administration: Pick<
    Administration,
    'findEntitlement' | 'grantEntitlement' | 'alignEntitlement' | 'runSeenCommand'
  >;
  readonly prices: Pick<PriceMap, 'find'>;
  readonly readPending: ReadPending;
  readonly deriveKey: DeriveKey;
  readonly report: ReportOnStripe;
}

/** Makes the look, which is the only way by which Stripe changes an entitlement. */
export function lookAt(parts: LookParts): LookAt {
  return async (id, call) => {
    try {
      const look = await lookUntilAgreed(parts, id, { ...call, by: 'stripe' });
      parts.report({ kind: 'looked', look }, call.correlationId);
      return look;
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}

async function lookUntilAgreed(parts: LookParts, id: string, call: Call): Promise<Look> {
  return /^(sub|cs)_/.test(id) ? new Looks(parts, id, null).untilAgreed(call) : unknown;
}

const unknown: Look = { kind: 'nothing', reason: 'unknown' };

/** What one step has decided, and by which prices. */
interface Step {
  readonly decision: Decision;
  readonly prices: readonly string[];
  readonly sold: Sold;
}

/** The looks at one subscription or purchase, until one of them finds nothing to change. */
class Looks {
  readonly #parts: LookParts;
  readonly #id: string;
  /** The session that the subscription was looked at for. */
  readonly #sessionId: string | null;
  #outcome: Extract<Look, { readonly kind: 'aligned' }>['outcome'] = 'unchanged';
  #hasReportedPrices = false;

  constructor(parts: LookParts, id: string, sessionId: string | null) {
    this.#parts = parts;
    this.#id = id;
    this.#sessionId = sessionId;
  }

  untilAgreed(call: Call): Promise<Look> {
    return untilStored(call, async () => {
      // Ours is read before Stripe: a change that is made here meanwhile makes the write stale, and is looked at again.
      const entitlement = await this.#parts.administration.findEntitlement(this.#id, call);
      if (this.#id.startsWith('sub_')) return this.#lookAtSubscription(entitlement, call);
      return this.#lookAtSession(entitlement, call);
    });
  }

  async #lookAtSubscription(entitlement: Entitlement | null, call: Call): Promise<Look | 'stale'> {
    const { stripe, readPending } = this.#parts;
    const pending = entitlement === null ? null : await readPending(entitlement, call);
    const state = await readSubscription(stripe, this.#id, call);
    if (state === null) return unknown;
    const prices = state.items.map(({ price }) => price.id);
    const sold = await this.#soldBy(prices, call);
    const reference = entitlement === null && sold.mapping !== null ? await this.#readReference(call) : null;
    const decision = decideSubscription(state, { entitlement, pending, sold, reference }, call.now);
    return this.#carryOut({ decision, prices, sold }, entitlement, call);
  }

  async #lookAtSession(entitlement: Entitlement | null, call: Call): Promise<Look | 'stale'> {
    const state = await readSession(this.#parts.stripe, this.#id, call);
    switch (state?.kind) {
      case undefined:
        return unknown;
      case 'nothing sold':
        return { kind: 'nothing', reason: 'nothing_sold' };
      case 'unfinished':
        return { kind: 'nothing', reason: 'not_paid' };
      case 'subscription':
        return new Looks(this.#parts, state.subscriptionId, this.#id).untilAgreed(call);
      case 'purchase': {
        const { prices } = state;
        const sold = await this.#soldBy(prices, call);
        return this.#carryOut({ decision: decidePurchase(state, entitlement, sold), prices, sold }, entitlement, call);
      }
    }
  }

  #soldBy(prices: readonly string[], call: Call): Promise<Sold> {
    return soldBy(prices, (price) => this.#parts.prices.find(price, call));
  }

  /** The session that the buyer came from, which a merchant's server knows; null for a subscription without one. */
  async #readReference(call: Call): Promise<string | null> {
    if (this.#sessionId !== null) return this.#sessionId;
    const subscription = this.#id;
    const { data } = await askStripe(call, (options) =>
      this.#parts.stripe.checkout.sessions.list({ subscription, limit: 1 }, options),
    );
    return data[0]?.id ?? null;
  }

  /** Reports once what the decision leaves out of the prices. */
  #reportPrices({ decision, prices, sold: { mapping, index } }: Step, { correlationId }: Call): void {
    const { report } = this.#parts;
    const id = this.#loggedId;
    const goesOn = decision.kind === 'align' && decision.target.endedAt === null;
    if (!goesOn && decision.kind !== 'grant' && !isUnmapped(decision)) return;
    if (this.#hasReportedPrices) return;
    this.#hasReportedPrices = true;
    if (mapping === null) report({ kind: 'unmapped', id, prices }, correlationId);
    else if (prices.length > 1) {
      const ignored = prices.filter((_price, at) => at !== index);
      report({ kind: 'several prices', id, used: mapping.price, ignored }, correlationId);
    }
  }

  /** The id for the log. Who knows the id of a session can claim the key. */
  get #loggedId(): string | null {
    return this.#id.startsWith('cs_') ? null : this.#id;
  }

  async #carryOut(step: Step, entitlement: Entitlement | null, call: Call): Promise<Look | 'stale'> {
    const { administration } = this.#parts;
    const { decision } = step;
    this.#reportPrices(step, call);
    switch (decision.kind) {
      case 'nothing':
        return decision;
      case 'refused':
        return this.#refused(decision.reason, call);
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
        if (kind === 'unchanged') return this.#agreed(entitlement);
        if (kind === 'changed' && this.#outcome === 'unchanged') this.#outcome = 'changed';
        return 'stale';
      }
    }
  }

  #agreed(entitlement: Entitlement | null): Look {
    return { kind: 'aligned', entitlement: known(entitlement), outcome: this.#outcome };
  }

  /** A grant is looked at again, as every write: Stripe may have changed meanwhile. */
  async #grant(grant: Grant, call: Call): Promise<Look | 'stale'> {
    const id = this.#id;
    const licenseKey = await this.#parts.deriveKey(id, call);
    try {
      await this.#parts.administration.grantEntitlement({ grant, id, licenseKey }, call);
      this.#outcome = 'granted';
      return 'stale';
    } catch (error) {
      if (!(error instanceof Refusal) || isFailure(error)) throw error;
      return error.code === 'entitlement_exists' ? 'stale' : this.#refused('grant_refused', call, error.code);
    }
  }

  #refused(reason: Extract<Look, { readonly kind: 'refused' }>['reason'], call: Call, code?: string): Look {
    const about = { reason, id: this.#loggedId };
    this.#parts.report({ kind: 'refused', ...about, ...(code !== undefined && { code }) }, call.correlationId);
    return { kind: 'refused', reason, entitlementId: this.#id };
  }
}

function isUnmapped(decision: Decision): boolean {
  return decision.kind === 'nothing' && decision.reason === 'unmapped_price';
}

function isFailure({ code }: Refusal): boolean {
  return code === 'store_unavailable' || code === 'changed_meanwhile';
}

function known(entitlement: Entitlement | null): Entitlement {
  if (entitlement === null) throw new Error('the decision is about an entitlement that is unknown');
  return entitlement;
}
