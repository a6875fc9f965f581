import type { SaleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import { statementEventTypes, type StatementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { Statement } from '../../../core/affiliate/statement/statement.ts';
import type { ArchivedEvent } from '../../../core/copy/archive.port.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { snapshotFrom, type SnapshotFacts } from '../../../core/entitlement/snapshot.ts';
import { isOfEntitlement, type LoggedEvent } from '../../../core/feed/logged-event.ts';
import { noFeatures } from '../../../core/tier/features.ts';
import type { TierEvent } from '../../../core/tier/tier-event.ts';
import type { TierTerms } from '../../../core/tier/tier.ts';
import { table } from '../engine/table.ts';

/** A row of `events`. `told_at` is when the event was stored, in milliseconds since 1970. */
export interface EventRow {
  readonly product_id: string;
  readonly position: number;
  readonly told_at: number;
  readonly body: string;
}

export const eventsTable = table<EventRow>('events', { product_id: true, position: true, told_at: true, body: true });

/**
 * The members of a snapshot that a body holds. The others follow from them and from the product of the row. The bodies of
 * release 0.1.0 lack the last six.
 */
const storedMembers = [
  'id',
  'kind',
  'status',
  'tierId',
  'tierName',
  'billingInterval',
  'currentPeriodStart',
  'currentPeriodEnd',
  'cancelAt',
  'canceledAt',
  'endedAt',
  'createdAt',
  'updatedAt',
  'version',
  'billingIntervalCount',
  'accessEndsAt',
  'updatesUntil',
  'deviceLimit',
  'devicesUsed',
  'features',
  'tierRevision',
] as const satisfies readonly (keyof SnapshotFacts)[];

type StoredFacts = Pick<SnapshotFacts, (typeof storedMembers)[number]>;

const instants: ReadonlySet<string> = new Set([
  'currentPeriodStart',
  'currentPeriodEnd',
  'cancelAt',
  'canceledAt',
  'endedAt',
  'accessEndsAt',
  'updatesUntil',
  'createdAt',
  'updatedAt',
  'revokedAt',
  'endsAt',
]);

/** The first members of every body. */
type Head<Event extends LoggedEvent> = readonly [
  id: string,
  type: Event['type'],
  at: number,
  sequence: Event['sequence'],
  by: Event['by'],
  correlationId: Event['correlationId'],
];

type Body = readonly [
  ...Head<EntitlementEvent>,
  object,
  object | null,
  readonly unknown[],
  /** Members at the end that are null are left out. */
  ending?: object | null,
  device?: object | null,
  reason?: EntitlementEvent['reason'],
];

type TierBody = readonly [...Head<TierEvent>, tierId: string, tier: TierTerms | null, previous: TierTerms | null];

type StatementBody = readonly [...Head<StatementEvent>, statement: Statement];

type SaleBody = readonly [...Head<SaleEvent>, sale: SaleEvent['sale']];

export function toEventRow({ productId, position, storedAt, event }: ArchivedEvent): EventRow {
  return { product_id: productId, position, told_at: storedAt.getTime(), body: toBody(event) };
}

export function fromEventRow({ product_id: productId, position, told_at: storedAt, body }: EventRow): ArchivedEvent {
  return { productId, position, storedAt: new Date(storedAt), event: fromBody(productId, body) };
}

/**
 * Writes the facts of an event as a JSON array, with instants as milliseconds since 1970. Those of a sale and of a statement
 * are written as `Date` writes itself.
 */
export function toBody(event: LoggedEvent): string {
  const { id, type, at, sequence, by, correlationId } = event;
  return JSON.stringify([id, type, at.getTime(), sequence, by, correlationId, ...ownFacts(event)]);
}

function ownFacts(event: LoggedEvent): readonly unknown[] {
  if (isOfEntitlement(event)) return entitlementFacts(event);
  if (event.type === 'tier.changed') return [event.tierId, event.tier, event.previous];
  return [event.type === 'sale.attributed' ? event.sale : event.statement];
}

export function fromBody(productId: string, body: string): LoggedEvent {
  const facts = JSON.parse(body) as Body | TierBody | SaleBody | StatementBody;
  if (facts[1] === 'tier.changed') return fromTierBody(productId, facts);
  if (facts[1] === 'sale.attributed') return fromSaleBody(productId, facts);
  return isOfStatement(facts) ? fromStatementBody(productId, facts) : fromEntitlementBody(productId, facts);
}

function entitlementFacts(event: EntitlementEvent): readonly unknown[] {
  const { previous, license, ending, device, reason, entitlement } = event;
  const facts = storedMembers.map((member) => toStored(entitlement[member]));
  const last = [ending && storedObject(ending), device, reason];
  const given = last.slice(0, last.findLastIndex((member) => member !== null) + 1);
  return [storedObject(previous), license && storedObject(license), facts, ...given];
}

function headOf<Event extends LoggedEvent>([id, type, at, sequence, by, correlationId]: readonly [
  ...Head<Event>,
  ...unknown[],
]) {
  return { id, type, at: new Date(at), sequence, by, correlationId };
}

function fromEntitlementBody(productId: string, body: Body): EntitlementEvent {
  const [, , , , , , previous, license, values, ...last] = body;
  const [ending, device, reason] = last;
  const facts = readObject(Object.fromEntries(storedMembers.map((member, index) => [member, values[index]])));
  const { accessEndsAt = null, updatesUntil = null } = facts as Partial<StoredFacts>;
  const { deviceLimit = null, devicesUsed = 0, tierRevision = null } = facts as Partial<StoredFacts>;
  const { features = noFeatures } = facts as Partial<StoredFacts>;
  const added = { accessEndsAt, updatesUntil, deviceLimit, devicesUsed, features, tierRevision };
  return {
    ...headOf<EntitlementEvent>(body),
    previous: readObject(previous),
    entitlement: snapshotFrom({ ...(facts as unknown as StoredFacts), ...added, productId }),
    license: license === null ? null : (readObject(license) as unknown as EntitlementEvent['license']),
    ending: ending ? (readObject(ending) as unknown as EntitlementEvent['ending']) : null,
    device: (device ?? null) as EntitlementEvent['device'],
    reason: reason ?? null,
  };
}

function fromTierBody(productId: string, body: TierBody): TierEvent {
  const [, , , , , , tierId, tier, previous] = body;
  return { ...headOf<TierEvent>(body), productId, tierId, tier, previous };
}

function fromSaleBody(productId: string, body: SaleBody): SaleEvent {
  const [, , , , , , { attributedAt, ...members }] = body;
  return { ...headOf<SaleEvent>(body), productId, sale: { ...members, attributedAt: new Date(attributedAt) } };
}

function isOfStatement(body: Body | StatementBody): body is StatementBody {
  return statementEventTypes.some((type) => type === body[1]);
}

function fromStatementBody(productId: string, body: StatementBody): StatementEvent {
  const [, , , , , , { closedAt, paid, ...members }] = body;
  const statement: Statement = {
    ...members,
    closedAt: new Date(closedAt),
    paid: paid && { ...paid, at: new Date(paid.at) },
  };
  return { ...headOf<StatementEvent>(body), productId, statement };
}

function toStored(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function storedObject(members: object): object {
  const stored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) stored[name] = toStored(value);
  return stored;
}

function readObject(members: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, fromStored(name, value)]));
}

function fromStored(name: string, value: unknown): unknown {
  return instants.has(name) && typeof value === 'number' ? new Date(value) : value;
}
