import type { NewCall } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { Maintenance } from '../maintenance/maintenance.port.ts';
import { walk } from '../paging/walk.ts';
import { LogCheck, type LogCheckParts } from './log-check.ts';

export interface ProductCheckParts extends LogCheckParts {
  readonly allEntitlements: AllEntitlements;
  readonly maintenance: Maintenance;
}

/** Entitlements whose waiting events are looked up at once. */
const batchSize = 200;

/**
 * Checks the log of a product against its entitlements, while both change. An entitlement is read after its events. If
 * it has counted more events than that, they are looked for among the events that wait, and then in the rest of the
 * log. Returns the number of events.
 */
export async function checkProduct(parts: ProductCheckParts, productId: string, newCall: NewCall): Promise<number> {
  const log = new LogCheck(parts, productId);
  await log.readOn(newCall);
  const unknown = new Set(log.last.keys());
  const all = walk<Entitlement>(
    (after, limit, call) =>
      parts.allEntitlements.page({ productId, reference: null, after: after?.id ?? null, limit }, call),
    newCall,
  );
  const ahead: Entitlement[] = [];
  for await (const entitlement of all) {
    unknown.delete(entitlement.id);
    if (isAhead(parts, log, entitlement)) ahead.push(entitlement);
  }
  for (const id of unknown)
    parts.faults.add(`Product ${productId} has events of entitlement ${id}, which does not exist.`);
  const missing = await withoutWaiting(parts, ahead, newCall);
  await log.readOn(newCall);
  for (const entitlement of missing) checkEnd(parts, log, entitlement);
  return log.count;
}

/** Compares an entitlement with its last event. Returns true if it has counted more events than the log has so far. */
function isAhead({ faults }: ProductCheckParts, log: LogCheck, { id, sequence, version }: Entitlement): boolean {
  const last = log.last.get(id) ?? { sequence: 0, version };
  const whose = `entitlement ${id} of product ${log.productId}`;
  if (last.sequence > sequence) {
    faults.add(`The last event of ${whose} has the sequence ${last.sequence}, but the entitlement has ${sequence}.`);
  } else if (last.sequence === sequence && last.version !== version) {
    faults.add(`The last event of ${whose} shows version ${last.version}, but the entitlement has ${version}.`);
  }
  return sequence > last.sequence;
}

/** Leaves out the entitlements whose last event waits for its position. */
async function withoutWaiting(
  { maintenance }: ProductCheckParts,
  entitlements: readonly Entitlement[],
  newCall: NewCall,
): Promise<readonly Entitlement[]> {
  const missing: Entitlement[] = [];
  for (let start = 0; start < entitlements.length; start += batchSize) {
    const batch = entitlements.slice(start, start + batchSize);
    const ids = batch.map(({ id }) => id);
    const waiting = await maintenance.waitingSequences(ids, newCall());
    missing.push(...batch.filter(({ id, sequence }) => (waiting.get(id) ?? 0) < sequence));
  }
  return missing;
}

function checkEnd({ faults }: ProductCheckParts, log: LogCheck, { id, sequence }: Entitlement): void {
  const last = log.last.get(id)?.sequence ?? (log.isPruned ? Infinity : 0);
  if (last >= sequence) return;
  const { productId } = log;
  faults.add(
    `The last event of entitlement ${id} of product ${productId} is missing: it has the sequence ${sequence}.`,
  );
}
