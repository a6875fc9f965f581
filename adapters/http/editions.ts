import type { Answer } from './answer.ts';

/** The part of a request that an edition may have had in another shape. */
export interface EditionRequest {
  readonly query: string;
  readonly body: unknown;
}

/** A superseded edition: how its requests become requests of its successor, and how the successor's answers become its own. */
export interface SupersededEdition {
  readonly date: string;
  readonly deprecatedAt: Date;
  /** When it stops to be served; null as long as that is not decided. */
  readonly retiredAt: Date | null;
  up(operation: string, request: EditionRequest): EditionRequest;
  /** `body` is the parsed JSON of the answer, which may be changed in place; `operation` is null for an error outside of all. */
  down(operation: string | null, status: number, body: unknown): unknown;
}

/** The current edition (specification, section 9). */
export const currentEdition = '2026-07-18';

const minAvailability = 180 * 86_400_000;

/** Which edition a request asks for. */
export type Negotiated =
  | { readonly kind: 'current' }
  | { readonly kind: 'superseded'; readonly edition: SupersededEdition }
  | { readonly kind: 'retired' }
  | { readonly kind: 'unknown' };

const asCurrent: Negotiated = { kind: 'current' };

/**
 * The editions in force. Throws a sentence for dates out of order, and for a retirement that comes before the deprecation
 * (RFC 9745 §4) or breaks the promise of section 9.4.
 */
export class Editions {
  readonly #superseded: readonly SupersededEdition[];

  /** `superseded` goes from the newest to the oldest. */
  constructor(superseded: readonly SupersededEdition[] = []) {
    let successor = currentEdition;
    for (const edition of superseded) {
      if (edition.date >= successor) {
        throw new Error(`Edition ${edition.date} must be older than its successor, ${successor}.`);
      }
      checkRetirement(edition, successor);
      successor = edition.date;
    }
    this.#superseded = superseded;
  }

  /** The dates that are served at this instant, the current one first. */
  supported(now: Date): readonly string[] {
    const served = this.#superseded.filter(({ retiredAt }) => retiredAt === null || retiredAt > now);
    return [currentEdition, ...served.map(({ date }) => date)];
  }

  /** `value` is the `API-Version` header; its lines are joined by commas, so that two of them name no edition. */
  negotiate(value: string | readonly string[] | undefined, now: Date): Negotiated {
    if (value === undefined || value === currentEdition) return asCurrent;
    const edition = this.#superseded.find(({ date }) => date === value);
    if (edition === undefined) return { kind: 'unknown' };
    if (edition.retiredAt !== null && edition.retiredAt <= now) return { kind: 'retired' };
    return { kind: 'superseded', edition };
  }

  /** Rewrites a request of a superseded edition into one of the current edition, one step at a time. */
  up(edition: SupersededEdition, operation: string, request: EditionRequest): EditionRequest {
    return this.#steps(edition).reduceRight((newer, step) => step.up(operation, newer), request);
  }

  /** Rewrites an answer of the current edition into one of a superseded edition, one step at a time. */
  down(edition: SupersededEdition, operation: string | null, answer: Answer): Answer {
    if (answer.body === null) return answer;
    const newest: unknown = JSON.parse(answer.body);
    const body = this.#steps(edition).reduce((newer, step) => step.down(operation, answer.status, newer), newest);
    const etag = answer.etag?.replace(/"$/, `-${edition.date}"`);
    return { ...answer, body: JSON.stringify(body), ...(etag === undefined ? {} : { etag }) };
  }

  /** From the newest superseded edition to this one. */
  #steps(edition: SupersededEdition): readonly SupersededEdition[] {
    return this.#superseded.slice(0, this.#superseded.indexOf(edition) + 1);
  }
}

function checkRetirement({ date, deprecatedAt, retiredAt }: SupersededEdition, successor: string): void {
  if (retiredAt === null) return;
  const available = new Date(Date.parse(`${successor}T00:00:00Z`) + minAvailability);
  for (const [earliest, why] of [
    [available, '180 days after its successor'],
    [deprecatedAt, 'it is deprecated from then on'],
  ] as const) {
    if (retiredAt < earliest) {
      throw new Error(`Edition ${date} may not be retired before ${earliest.toISOString()}: ${why}.`);
    }
  }
}

/** The header fields that say that an edition is superseded: names and values in turn. */
export function supersededHeaders({ deprecatedAt, retiredAt }: SupersededEdition): readonly string[] {
  const deprecation = ['Deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`]; // RFC 9745 §2.1
  return retiredAt === null ? deprecation : [...deprecation, 'Sunset', retiredAt.toUTCString()]; // RFC 8594 §3
}
