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

type Body = readonly [
  string,
  EntitlementEvent['type'],
  number,
  number,
  EntitlementEvent['by'],
  string | null,
  object,
  object | null,
  readonly unknown[],
  /** The last members are left out from the first one on after which all are null. */
  ending?: object | null,
  device?: object | null,
  reason?: EntitlementEvent['reason'],
];

type TierBody = readonly [
  id: string,
  type: TierEvent['type'],
  at: number,
  sequence: number,
  by: TierEvent['by'],
  correlationId: string,
  tierId: string,
  tier: TierTerms | null,
  previous: TierTerms | null,
];

type StatementBody = readonly [
  id: string,
  type: StatementEvent['type'],
  at: number,
  sequence: number,
  by: StatementEvent['by'],
  correlationId: string,
  statement: Statement,
];

type SaleBody = readonly [
  id: string,
  type: SaleEvent['type'],
  at: number,
  sequence: 1,
  by: SaleEvent['by'],
  correlationId: string,
  sale: SaleEvent['sale'],
];

export function toEventRow({ productId, position, storedAt, event }: ArchivedEvent): EventRow {
  return { product_id: productId, position, told_at: storedAt.getTime(), body: toBody(event) };
}

export function fromEventRow({ product_id: productId, position, told_at: storedAt, body }: EventRow): ArchivedEvent {
  return { productId, position, storedAt: new Date(storedAt), event: fromBody(productId, body) };
}

/** Writes the facts of an event as a JSON array, with instants as milliseconds since 1970. */
export function toBody(event: LoggedEvent): string {
  if (isOfEntitlement(event)) return toEntitlementBody(event);
  if (event.type === 'tier.changed') return toTierBody(event);
  return event.type === 'sale.attributed' ? toSaleBody(event) : toStatementBody(event);
}

export function fromBody(productId: string, body: string): LoggedEvent {
  const facts = JSON.parse(body) as Body | TierBody | SaleBody | StatementBody;
  if (facts[1] === 'tier.changed') return fromTierBody(productId, facts);
  if (facts[1] === 'sale.attributed') return fromSaleBody(productId, facts);
  return isOfStatement(facts) ? fromStatementBody(productId, facts) : fromEntitlementBody(productId, facts);
}

function toEntitlementBody(event: EntitlementEvent): string {
  const { id, type, at, sequence, by, correlationId, previous, license, ending, device, reason, entitlement } = event;
  const facts = storedMembers.map((member) => toStored(entitlement[member]));
  const body: Body = [
    id,
    type,
    at.getTime(),
    sequence,
    by,
    correlationId,
    storedObject(previous),
    license && storedObject(license),
    facts,
  ];
  const last = [ending && storedObject(ending), device, reason];
  return JSON.stringify([...body, ...last.slice(0, last.findLastIndex((member) => member !== null) + 1)]);
}

function fromEntitlementBody(productId: string, body: Body): EntitlementEvent {
  const [id, type, at, sequence, by, correlationId, previous, license, values, ...last] = body;
  const [ending, device, reason] = last;
  const facts = readObject(Object.fromEntries(storedMembers.map((member, index) => [member, values[index]])));
  const { accessEndsAt = null, updatesUntil = null } = facts as Partial<StoredFacts>;
  const { deviceLimit = null, devicesUsed = 0, tierRevision = null } = facts as Partial<StoredFacts>;
  const { features = noFeatures } = facts as Partial<StoredFacts>;
  const added = { accessEndsAt, updatesUntil, deviceLimit, devicesUsed, features, tierRevision };
  return {
    id,
    type,
    at: new Date(at),
    sequence,
    by,
    correlationId,
    previous: readObject(previous),
    entitlement: snapshotFrom({ ...(facts as unknown as StoredFacts), ...added, productId }),
    license: license === null ? null : (readObject(license) as unknown as EntitlementEvent['license']),
    ending: ending ? (readObject(ending) as unknown as EntitlementEvent['ending']) : null,
    device: (device ?? null) as EntitlementEvent['device'],
    reason: reason ?? null,
  };
}

function toTierBody(event: TierEvent): string {
  const { id, type, at, sequence, by, correlationId, tierId, tier, previous } = event;
  const body: TierBody = [id, type, at.getTime(), sequence, by, correlationId, tierId, tier, previous];
  return JSON.stringify(body);
}

function fromTierBody(productId: string, body: TierBody): TierEvent {
  const [id, type, at, sequence, by, correlationId, tierId, tier, previous] = body;
  return { id, type, at: new Date(at), sequence, by, correlationId, productId, tierId, tier, previous };
}

/** The instant is written as `Date` writes itself. */
function toSaleBody(event: SaleEvent): string {
  const { id, type, at, sequence, by, correlationId, sale } = event;
  const body: SaleBody = [id, type, at.getTime(), sequence, by, correlationId, sale];
  return JSON.stringify(body);
}

function fromSaleBody(productId: string, body: SaleBody): SaleEvent {
  const [id, type, at, sequence, by, correlationId, { attributedAt, ...members }] = body;
  const sale = { ...members, attributedAt: new Date(attributedAt) };
  return { id, type, at: new Date(at), sequence, by, correlationId, productId, sale };
}

function isOfStatement(body: Body | StatementBody): body is StatementBody {
  return statementEventTypes.some((type) => type === body[1]);
}

/** Instants are written as `Date` writes itself. */
function toStatementBody(event: StatementEvent): string {
  const { id, type, at, sequence, by, correlationId, statement } = event;
  const body: StatementBody = [id, type, at.getTime(), sequence, by, correlationId, statement];
  return JSON.stringify(body);
}

function fromStatementBody(productId: string, body: StatementBody): StatementEvent {
  const [id, type, at, sequence, by, correlationId, { closedAt, paid, ...members }] = body;
  const statement: Statement = {
    ...members,
    closedAt: new Date(closedAt),
    paid: paid && { ...paid, at: new Date(paid.at) },
  };
  return { id, type, at: new Date(at), sequence, by, correlationId, productId, statement };
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
