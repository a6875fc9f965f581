import type { SaleEvent } from '../affiliate/sale/sale-event.ts';
import { statementEventTypes, type StatementEvent } from '../affiliate/statement/statement-event.ts';
import { eventTypes, type EventType } from '../entitlement/event/event-type.ts';
import { brokenUrl } from '../parsing/broken-url.ts';
import { hostPattern } from '../parsing/host-pattern.ts';
import { textThat, type ValueRule } from '../parsing/value-rule.ts';
import type { Product } from '../product/products.port.ts';
import type { TierEvent } from '../tier/tier-event.ts';
import type { StreamName } from './stream/delivery-stream.ts';

/** A key that signs deliveries. */
export interface EndpointSecret {
  /** `whsec_` and the base64 of 32 random bytes. Stored as it is, because it must sign. */
  readonly key: string;
  /** When it ceases to sign; null for the one that has not been replaced. */
  readonly until: Date | null;
}

/** Why an endpoint is disabled: by a command, because it answered 410, or because it failed for five days. */
export const disablingReasons = ['requested', 'gone', 'failing'] as const;

export type DisablingReason = (typeof disablingReasons)[number];

/**
 * The types of events that an endpoint can ask for. Some are about no entitlement, so that only an endpoint that names
 * them gets them: a receiver may rely on an entitlement in every event.
 */
export type WebhookType = EventType | NamedType;

type NamedType = TierEvent['type'] | SaleEvent['type'] | StatementEvent['type'];

const namedTypes: readonly NamedType[] = ['tier.changed', 'sale.attributed', ...statementEventTypes];

export const webhookTypes: readonly WebhookType[] = [...eventTypes, ...namedTypes];

/** The administrator's terms for a new endpoint. */
export interface EndpointTerms {
  readonly url: string;
  /** Null for the events of every product. */
  readonly productId: Product['id'] | null;
  /** Null for every event of an entitlement. */
  readonly types: readonly WebhookType[] | null;
}

/** A URL that events are delivered to. */
export interface WebhookEndpoint extends EndpointTerms {
  readonly id: string;
  /**
   * Names the addition that wrote its streams. An addition of the same id that failed or came second may have left streams
   * of its own. Random.
   */
  readonly addition: string;
  /** The newest first. */
  readonly secrets: readonly EndpointSecret[];
  readonly state: 'enabled' | 'disabled';
  /** Null while it is enabled. */
  readonly reason: DisablingReason | null;
  /** Whether requests to it never reach the networks that the service allows its owner. */
  readonly isPublicOnly: boolean;
  readonly createdAt: Date;
  /** Grows with every write. */
  readonly revision: number;
}

/** An endpoint as it is shown: with the number of its secrets. */
export type ShownEndpoint = Omit<WebhookEndpoint, 'addition' | 'secrets' | 'isPublicOnly' | 'revision'> & {
  readonly secrets: number;
};

export function shownEndpoint({ id, url, productId, types, ...endpoint }: WebhookEndpoint): ShownEndpoint {
  const { state, reason, secrets, createdAt } = endpoint;
  return { id, url, productId, types, state, reason, secrets: secrets.length, createdAt };
}

/** The keys that sign a delivery at an instant: more than one while a secret is being replaced. */
export function signingKeys({ secrets }: Pick<WebhookEndpoint, 'secrets'>, now: Date): readonly string[] {
  return secrets.filter(({ until }) => until === null || until > now).map(({ key }) => key);
}

export function isForProduct({ productId }: Pick<WebhookEndpoint, 'productId'>, id: Product['id']): boolean {
  return productId === null || productId === id;
}

/** Reports whether a stream belongs to an endpoint: it was written by the same addition, and for one of its products. */
export function isStreamOf(stream: StreamName, endpoint: WebhookEndpoint): boolean {
  return (
    stream.endpointId === endpoint.id &&
    stream.addition === endpoint.addition &&
    isForProduct(endpoint, stream.productId)
  );
}

export function isForType({ types }: Pick<WebhookEndpoint, 'types'>, type: WebhookType): boolean {
  return types === null ? !namedTypes.some((named) => named === type) : types.includes(type);
}

export function haveSameTerms(a: EndpointTerms, b: EndpointTerms): boolean {
  const typesOf = ({ types }: EndpointTerms): string | undefined => types?.toSorted().join();
  return a.url === b.url && a.productId === b.productId && typesOf(a) === typesOf(b);
}

/** A rule for types of events, each once: an array or, in a text, with commas between them. */
export const eventTypesRule: ValueRule<readonly WebhookType[]> = {
  parse: (text) => typesIn(text.split(',')),
  read: (member) => (Array.isArray(member) ? typesIn(member) : null),
  rule: `must be one or more of ${webhookTypes.join(', ')}`,
};

function typesIn(given: readonly unknown[]): readonly WebhookType[] | null {
  const known = webhookTypes.filter((type) => given.includes(type));
  return known.length > 0 && given.every((type) => known.some((one) => one === type)) ? known : null;
}

const maxUrlLength = 2000;

/**
 * A scheme, the name or IPv4 address of a host with an optional port, and what follows it. The documents of the interface
 * have it too.
 */
export const webhookUrlPattern = `^https?://${hostPattern}(?:[/?][!"$-~]*)?$`;

const urlForm = new RegExp(webhookUrlPattern);

/**
 * The form of the URL of an endpoint. Whether deliveries may reach its address is decided at each delivery, because the
 * addresses of a name change.
 */
export const webhookUrlRule = textThat(
  (text) => text.length <= maxUrlLength && urlForm.test(text),
  `must be an http or https URL of at most ${maxUrlLength} characters without user name and fragment`,
  (text) => brokenUrl(text, { schemes: ['http', 'https'], maxLength: maxUrlLength, hasFragment: false }),
);
