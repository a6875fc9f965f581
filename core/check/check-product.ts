import type { Sale } from '../affiliate/sale/sale.ts';
import type { Sales } from '../affiliate/sale/sales.port.ts';
import type { Statement } from '../affiliate/statement/statement.ts';
import { allStatements, type Statements } from '../affiliate/statement/statements.port.ts';
import type { NewCall } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { saleSubject, statementSubject, tierInSubject, tierSubject } from '../feed/logged-event.ts';
import type { Maintenance } from '../maintenance/maintenance.port.ts';
import { walk } from '../paging/walk.ts';
import type { DeclaredTier } from '../tier/tier.ts';
import type { Tiers } from '../tier/tiers.port.ts';
import { LogCheck, nameOf, type LogCheckParts } from './log-check.ts';

export interface ProductCheckParts extends LogCheckParts {
  readonly allEntitlements: AllEntitlements;
  readonly maintenance: Maintenance;
  readonly sales: Sales;
  readonly statements: Statements;
  readonly tiers: Tiers;
}

/** A subject of events (`subjectOf`), with the number of events that it has counted. */
interface Counted {
  readonly subject: string;
  readonly sequence: number;
  /** Null for anything but an entitlement. */
  readonly version: number | null;
}

/** Subjects whose waiting events are looked up at once. */
const batchSize = 200;

/**
 * Checks the log of a product against its entitlements, tiers, sales and statements, while all of them change. Each is read
 * after its events. If it has counted more events than that, they are looked for among the events that wait, and then in the rest of the
 * log. Returns the number of events.
 */
export async function checkProduct(parts: ProductCheckParts, productId: string, newCall: NewCall): Promise<number> {
  const log = new LogCheck(parts, productId);
  await log.readOn(newCall);
  const unknown = new Set(log.last.keys());
  const ahead: Counted[] = [];
  for await (const counted of everySubject(parts, productId, [...unknown], newCall)) {
    unknown.delete(counted.subject);
    if (isAhead(parts, log, counted)) ahead.push(counted);
  }
  for (const subject of unknown)
    parts.faults.add(`Product ${productId} has events of ${nameOf(subject)}, which does not exist.`);
  const missing = await withoutWaiting(parts, productId, ahead, newCall);
  await log.readOn(newCall);
  for (const counted of missing) checkEnd(parts, log, counted);
  return log.count;
}

/** Every subject of a product: of the deleted tiers, those that its events name. */
async function* everySubject(
  { allEntitlements, sales, statements, tiers }: ProductCheckParts,
  productId: string,
  known: readonly string[],
  newCall: NewCall,
): AsyncGenerator<Counted, void, undefined> {
  const entitlements = walk<Entitlement>(
    (after, limit, call) => allEntitlements.page({ productId, reference: null, after: after?.id ?? null, limit }, call),
    newCall,
  );
  for await (const { id, sequence, version } of entitlements) yield { subject: id, sequence, version };
  const declared = walk<DeclaredTier>(
    (after, limit, call) => tiers.page(productId, after?.id ?? null, limit, call),
    newCall,
  );
  const ids = new Set(known.flatMap((subject) => tierInSubject(subject) ?? []));
  for await (const { id } of declared) ids.add(id);
  for (const id of ids) {
    const tier = await tiers.find(productId, id, newCall());
    if (tier !== null) yield { subject: tierSubject(id), sequence: tier.revision, version: null };
  }
  const brought = walk<Sale>(
    (after, limit, call) => sales.page({ productId, handle: null, currency: null, after, limit }, call),
    newCall,
  );
  for await (const { id } of brought) yield { subject: saleSubject(id), sequence: 1, version: null };
  const closed = walk<Statement>(
    (after, limit, call) => statements.page({ ...allStatements, productId, after, limit }, call),
    newCall,
  );
  for await (const { id, revision } of closed)
    yield { subject: statementSubject(id), sequence: revision, version: null };
}

/** Compares a subject with its last event. Returns true if it has counted more events than the log has so far. */
function isAhead({ faults }: ProductCheckParts, log: LogCheck, { subject, sequence, version }: Counted): boolean {
  const last = log.last.get(subject) ?? { sequence: 0, version };
  const whose = `${nameOf(subject)} of product ${log.productId}`;
  const [kind] = nameOf(subject).split(' ');
  if (last.sequence > sequence) {
    faults.add(`The last event of ${whose} has the sequence ${last.sequence}, but the ${kind} has ${sequence}.`);
  } else if (last.sequence === sequence && last.version !== version) {
    faults.add(`The last event of ${whose} shows version ${last.version}, but the ${kind} has ${version}.`);
  }
  return sequence > last.sequence;
}

/** Leaves out the subjects whose last event waits for its position. */
async function withoutWaiting(
  { maintenance }: ProductCheckParts,
  productId: string,
  counted: readonly Counted[],
  newCall: NewCall,
): Promise<readonly Counted[]> {
  const missing: Counted[] = [];
  for (let start = 0; start < counted.length; start += batchSize) {
    const batch = counted.slice(start, start + batchSize);
    const subjects = batch.map(({ subject }) => subject);
    const waiting = await maintenance.waitingSequences(productId, subjects, newCall());
    missing.push(...batch.filter(({ subject, sequence }) => (waiting.get(subject) ?? 0) < sequence));
  }
  return missing;
}

function checkEnd({ faults }: ProductCheckParts, log: LogCheck, { subject, sequence }: Counted): void {
  const last = log.last.get(subject)?.sequence ?? (log.isPruned ? Infinity : 0);
  if (last >= sequence) return;
  const { productId } = log;
  faults.add(
    `The last event of ${nameOf(subject)} of product ${productId} is missing: it has the sequence ${sequence}.`,
  );
}
