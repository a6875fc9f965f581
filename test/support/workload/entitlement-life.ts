import type { Call } from '../../../core/call.ts';
import { decideCommand, type EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { decisionCall, recordChange, recordClock, recordGrant } from '../../../core/entitlement/event/change-record.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { aCall, later } from '../builders.ts';
import { countingIds } from '../random-entitlements.ts';

/** The life of one entitlement and its events, without a store. Instants are milliseconds after noon. */
export class EntitlementLife {
  readonly events: EntitlementEvent[] = [];
  readonly #newId = countingIds();
  readonly #endingSoon: number;
  #now: Entitlement;

  constructor(granted: Entitlement, endingSoon: number, at = 0) {
    this.#endingSoon = endingSoon;
    const { next, changeRecord } = recordGrant(
      { ...granted, updatedAt: later(at) },
      { operation: 'granted' },
      callAt(at),
      this.#newId,
    );
    this.#now = next;
    this.events.push(...changeRecord.events);
  }

  get entitlement(): Entitlement {
    return this.#now;
  }

  /** Looks at the clock, possibly with another setting. */
  sweep(at: number, endingSoon = this.#endingSoon): this {
    const { next, events } = recordClock(this.#now, later(at), this.#newId, endingSoon);
    this.#now = next;
    this.events.push(...events);
    return this;
  }

  /** Carries out a command, and does nothing if it is refused or changes nothing. */
  run(at: number, command: EntitlementCommand): this {
    const call = decisionCall(this.#now, callAt(at));
    const decision = decideCommand(command, this.#now, call.now);
    if (decision.kind !== 'changed') return this;
    const { next, changeRecord } = recordChange(
      this.#now,
      decision.next,
      decision,
      call,
      this.#newId,
      this.#endingSoon,
    );
    this.#now = next;
    this.events.push(...changeRecord.events);
    return this;
  }

  /** The ends that were announced: when, why, and which. */
  get announced(): readonly (readonly [at: number, reason: string, endsAt: number])[] {
    return this.events.flatMap(({ at, ending }) =>
      ending === null ? [] : [[fromNoon(at), ending.reason, fromNoon(ending.endsAt)] as const],
    );
  }

  /** The types of the events in order, with their instants. */
  get told(): readonly string[] {
    return this.events.map(({ type, at }) => `${fromNoon(at)} ${type.replace(/^.*\./, '')}`);
  }
}

function callAt(milliseconds: number): Call {
  return aCall({ now: later(milliseconds) });
}

function fromNoon(instant: Date): number {
  return instant.getTime() - later(0).getTime();
}
