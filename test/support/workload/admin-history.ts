import type { HistoryOperation } from '../../../core/entitlement/history-entry.ts';

/** A request for a change that its one client has made of one entitlement, repeated until its outcome was known. */
export interface AdminRequest {
  /** The `X-Request-Id` of every attempt. */
  readonly id: string;
  readonly operation: HistoryOperation;
  /** The version in the answer, or null if no attempt was answered. */
  readonly acknowledged: number | null;
}

/** An entry of the history that the service shows. */
export interface SeenEntry {
  readonly version: number;
  readonly operation: string;
  readonly correlationId: string;
}

/** Everything that happened to one entitlement after its grant. Nothing but these requests changed it. */
export interface AdminHistory {
  readonly requests: readonly AdminRequest[];
  /** Complete, with the newest entry first. */
  readonly entries: readonly SeenEntry[];
  /** The version of the entitlement after the last request. */
  readonly version: number;
}

/**
 * Finds where a history breaks the promises that a repeated request has one effect, and that no acknowledged change is
 * lost. Each request asks for a change from the state before it, and is sent when the outcome of the one before is known.
 */
export function adminViolations({ requests, entries, version }: AdminHistory): readonly string[] {
  const changes = entries.toReversed();
  return [
    ...checkVersions(changes, version),
    ...requests.flatMap((request) => checkRequest(request, changes)),
    ...changes.slice(1).flatMap((entry) => checkEntry(entry, requests)),
  ];
}

/** The grant makes version 1, and each change makes the next version. */
function checkVersions(changes: readonly SeenEntry[], version: number): readonly string[] {
  const gaps = changes.flatMap((entry, index) =>
    entry.version === index + 1 ? [] : [`entry ${index + 1} has version ${entry.version}`],
  );
  const last = changes.at(-1)?.version;
  return last === version ? gaps : [...gaps, `the entitlement has version ${version}, and its last entry ${last}`];
}

function checkRequest({ id, operation, acknowledged }: AdminRequest, changes: readonly SeenEntry[]): readonly string[] {
  const own = changes.filter(({ correlationId }) => correlationId === id);
  const [entry] = own;
  if (entry === undefined) {
    return acknowledged === null ? [] : [`${operation} ${id} was acknowledged as version ${acknowledged}, and is lost`];
  }
  const found: string[] = own.length > 1 ? [`${operation} ${id} took effect ${own.length} times`] : [];
  if (entry.operation !== operation) found.push(`${operation} ${id} was kept as ${entry.operation}`);
  if (acknowledged !== null && entry.version !== acknowledged) {
    found.push(`${operation} ${id} was acknowledged as version ${acknowledged}, and kept as ${entry.version}`);
  }
  return found;
}

function checkEntry({ version, correlationId }: SeenEntry, requests: readonly AdminRequest[]): readonly string[] {
  return requests.some(({ id }) => id === correlationId) ? [] : [`version ${version} was made by no request`];
}
