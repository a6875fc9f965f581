import { counted } from './product-map.ts';
import type { Dropped } from './record/sold.ts';

/** The number of entitlements without a usable key that are named. */
const maxNamed = 10_000;

/** Counts what an import leaves out or drops, and names the entitlements that need a new key. */
export class Tally {
  readonly #leftOut = new Map<string, number>();
  readonly #withoutKey: string[] = [];
  #emails = 0;
  #names = 0;
  #activations = 0;
  #assumed = 0;
  readonly #states = { overdue: 0, suspended: 0, trials: 0 };
  #keyless = 0;

  leaveOut(reason: string): void {
    this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1);
  }

  drop({ emails, names, hasActivations }: Dropped): void {
    this.#emails += emails;
    this.#names += names;
    if (hasActivations) this.#activations += 1;
  }

  assumeInterval(): void {
    this.#assumed += 1;
  }

  /** Counts a purchase of which the export does not say all that its access depends on. */
  countState(state: 'overdue' | 'suspended' | 'trials'): void {
    this.#states[state] += 1;
  }

  /** Notes an entitlement whose key cannot be verified, with the length of the key. */
  rejectKey(id: string, length: number): void {
    this.#keyless += 1;
    if (this.#keyless <= maxNamed) {
      this.#withoutKey.push(
        `Warning: the key of ${id} has ${length} characters, and a license key has 24 to 120; give it a new one with latchkey license rotate ${id}.`,
      );
    }
  }

  /** The lines of the summary. */
  lines(): readonly string[] {
    const leftOut = [...this.#leftOut].map(([reason, count]) => `${count} ${reason}`);
    const lines = [...this.#withoutKey];
    if (this.#keyless > maxNamed)
      lines.push(`Warning: ${this.#keyless - maxNamed} more keys are too long or too short.`);
    if (this.#assumed > 0) {
      lines.push(
        `Warning: ${counted(this.#assumed, 'record')} with an end ${this.#assumed === 1 ? 'has' : 'have'} no billingInterval in the map; a year was assumed.`,
      );
    }
    const { overdue, suspended, trials } = this.#states;
    if (overdue > 0) {
      lines.push(
        `Warning: ${counted(overdue, 'record')} ${overdue === 1 ? 'is' : 'are'} past due: a payment is missing, so access lasts only as long as the vendor tries it again.`,
      );
    }
    if (trials > 0) {
      lines.push(
        `Warning: ${counted(trials, 'trial')} ${trials === 1 ? 'has' : 'have'} no end in the export; a month was assumed, or one interval if that is shorter.`,
      );
    }
    if (suspended > 0) {
      lines.push(
        `Warning: ${counted(suspended, 'record')} ${suspended === 1 ? 'is' : 'are'} suspended, because of a pause, a payment or a decision at the vendor; latchkey entitlement reinstate gives access again.`,
      );
    }
    if (this.#activations > 0) {
      lines.push(
        `Warning: the activations of ${counted(this.#activations, 'record')} were dropped; no export names the devices, which take new seats.`,
      );
    }
    if (this.#emails + this.#names > 0) {
      const emails = `${this.#emails} e-mail address${this.#emails === 1 ? '' : 'es'}`;
      lines.push(`Dropped ${emails} and ${counted(this.#names, 'name')}.`);
    }
    if (leftOut.length > 0) lines.push(`Left out: ${leftOut.join(', ')}.`);
    return lines;
  }
}
