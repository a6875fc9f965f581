import { day } from '../../core/parsing/duration.ts';
import type { Answer } from './answer.ts';

/** The part of a request whose shape may differ between editions. */
export interface EditionRequest {
  readonly query: string;
  readonly body: unknown;
}

/** A superseded edition: rewrites its requests into those of its successor, and the successor's answers into its own. */
export interface SupersededEdition {
  readonly date: string;
  readonly deprecatedAt: Date;
  /** When it is no longer served; null until that is decided. */
  readonly retiredAt: Date | null;
  up(operation: string, request: EditionRequest): EditionRequest;
  /** `body` is parsed JSON and may be changed in place. `operation` is null for an error outside of any operation. */
  down(operation: string | null, status: number, body: unknown): unknown;
}

/** The date of the current edition (specification, section 9). */
export const currentEdition = '2026-07-18';

const minAvailability = 180 * day;

/** The edition that a request asks for. */
export type Negotiated =
  | { readonly kind: 'current' }
  | { readonly kind: 'superseded'; readonly edition: SupersededEdition }
  | { readonly kind: 'retired' }
  | { readonly kind: 'unknown' };

const current: Negotiated = { kind: 'current' };

/**
 * The editions that the service supports. The constructor throws if their dates are out of order, or if one is retired before
 * it is deprecated (RFC 9745 §4) or earlier than section 9.4 allows.
 */
export class Editions {
  readonly #superseded: readonly SupersededEdition[];

  /** `superseded` is ordered from the newest to the oldest. */
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

  /** The dates that are served at `now`, the current one first. */
  supported(now: Date): readonly string[] {
    const served = this.#superseded.filter(({ retiredAt }) => retiredAt === null || retiredAt > now);
    return [currentEdition, ...served.map(({ date }) => date)];
  }

  /** `value` is the `API-Version` header. Node joins its lines with commas, so two lines match no edition. */
  negotiate(value: string | readonly string[] | undefined, now: Date): Negotiated {
    if (value === undefined || value === currentEdition) return current;
    const edition = this.#superseded.find(({ date }) => date === value);
    if (edition === undefined) return { kind: 'unknown' };
    if (edition.retiredAt !== null && edition.retiredAt <= now) return { kind: 'retired' };
    return { kind: 'superseded', edition };
  }

  /** Rewrites a request of a superseded edition into the current one, one edition at a time. */
  up(edition: SupersededEdition, operation: string, request: EditionRequest): EditionRequest {
    return this.#steps(edition).reduceRight((newer, step) => step.up(operation, newer), request);
  }

  /** Rewrites an answer of the current edition into a superseded one, one edition at a time. Other content than JSON stays. */
  down(edition: SupersededEdition, operation: string | null, answer: Answer): Answer {
    if (answer.body === null || answer.contentType !== undefined) return answer;
    const newest: unknown = JSON.parse(
      typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString(),
    );
    const body = this.#steps(edition).reduce((newer, step) => step.down(operation, answer.status, newer), newest);
    const etag = answer.etag === undefined ? {} : { etag: editionEtag(answer.etag, edition) };
    return { ...answer, body: JSON.stringify(body), ...etag };
  }

  /** The editions from the newest superseded one to this one. */
  #steps(edition: SupersededEdition): readonly SupersededEdition[] {
    return this.#superseded.slice(0, this.#superseded.indexOf(edition) + 1);
  }
}

/** The validator of the same content in a superseded edition, where it is another representation. */
export function editionEtag(etag: string, { date }: SupersededEdition): string {
  return etag.replace(/"$/, `-${date}"`);
}

function checkRetirement({ date, deprecatedAt, retiredAt }: SupersededEdition, successor: string): void {
  if (retiredAt === null) return;
  const available = new Date(Date.parse(`${successor}T00:00:00Z`) + minAvailability);
  for (const [earliest, why] of [
    [available, 'it is served for 180 days after its successor'],
    [deprecatedAt, 'it is deprecated only then'],
  ] as const) {
    if (retiredAt < earliest) {
      throw new Error(`Edition ${date} must not be retired before ${earliest.toISOString()}: ${why}.`);
    }
  }
}

/** The header fields of a superseded edition: names and values alternate. */
export function supersededHeaders({ deprecatedAt, retiredAt }: SupersededEdition): readonly string[] {
  const deprecation = ['Deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`]; // RFC 9745 §2.1
  return retiredAt === null ? deprecation : [...deprecation, 'Sunset', retiredAt.toUTCString()]; // RFC 8594 §3
}
