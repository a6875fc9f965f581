import type { ArchivedEvent } from '../../../core/copy/archive.port.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { snapshotFrom, type SnapshotFacts } from '../../../core/entitlement/snapshot.ts';
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
 * an older release lack the last three.
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
  /** Left out, with the next member, if both are null. */
  ending?: object | null,
  device?: object,
];

export function toEventRow({ productId, position, storedAt, event }: ArchivedEvent): EventRow {
  return { product_id: productId, position, told_at: storedAt.getTime(), body: toBody(event) };
}

export function fromEventRow({ product_id: productId, position, told_at: storedAt, body }: EventRow): ArchivedEvent {
  return { productId, position, storedAt: new Date(storedAt), event: fromBody(productId, body) };
}

/** Writes the facts of an event as a JSON array, with instants as milliseconds since 1970. */
export function toBody(event: EntitlementEvent): string {
  const { id, type, at, sequence, by, correlationId, previous, license, ending, device, entitlement } = event;
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
  if (device !== null) return JSON.stringify([...body, ending && storedObject(ending), device]);
  return JSON.stringify(ending === null ? body : [...body, storedObject(ending)]);
}

export function fromBody(productId: string, body: string): EntitlementEvent {
  const [id, type, at, sequence, by, correlationId, previous, license, values, ending, device] = JSON.parse(
    body,
  ) as Body;
  const facts = readObject(Object.fromEntries(storedMembers.map((member, index) => [member, values[index]])));
  const { billingIntervalCount = 1, accessEndsAt = null, updatesUntil = null } = facts as Partial<StoredFacts>;
  const { deviceLimit = null, devicesUsed = 0 } = facts as Partial<StoredFacts>;
  const added = { billingIntervalCount, accessEndsAt, updatesUntil, deviceLimit, devicesUsed };
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
  };
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
