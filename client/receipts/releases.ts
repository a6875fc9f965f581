/** A release of a program, as the list of its seller has it. */
export interface Release {
  readonly version: string;
  /** An instant or a day of UTC in ISO 8601, such as `2026-11-01T00:00:00Z` or `2026-11-01`. */
  readonly releasedAt: string;
}

/** The newest release that a license covers, and the first one that needs a renewal. */
export interface CoveredRelease<Own extends Release> {
  /** Null if none is covered. */
  readonly release: Own | null;
  /** Null if every release is covered. */
  readonly renewal: Own | null;
}

/** The end of the updates of a license, as receipts and gates show it; absent if none is set. */
interface Right {
  readonly updatesUntil?: string;
}

/**
 * Finds the newest release that a license covers: the last one that came out by its `updatesUntil`, including that
 * instant. Without `updatesUntil`, every release is covered. The order of the list does not count. Throws `TypeError`
 * for an invalid instant.
 */
export function coveredRelease<Own extends Release>(
  releases: readonly Own[],
  { updatesUntil }: Right,
): CoveredRelease<Own> {
  const end = updatesUntil === undefined ? Infinity : millisecondsOf(updatesUntil, 'updatesUntil');
  const inOrder = releases
    .map((release) => ({ release, at: millisecondsOf(release.releasedAt, `releasedAt of ${release.version}`) }))
    .toSorted((one, other) => one.at - other.at);
  const covered = inOrder.filter(({ at }) => at <= end);
  return { release: covered.at(-1)?.release ?? null, renewal: inOrder[covered.length]?.release ?? null };
}

/** Whether a build came out after the updates of a license had ended. */
export function isReleasedAfter({ updatesUntil }: Right, releasedAt: Date | undefined): boolean {
  return releasedAt !== undefined && updatesUntil !== undefined && releasedAt > new Date(updatesUntil);
}

/** Throws `TypeError` for an invalid instant: no build comes out after it, so that every license would cover it. */
export function checkReleasedAt(releasedAt: Date | undefined): void {
  if (releasedAt === undefined) return;
  if (typeof releasedAt?.getTime !== 'function' || Number.isNaN(releasedAt.getTime()))
    throw new TypeError('releasedAt must be a valid Date: when this build was released');
}

const instant = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** `Date.parse` reads more, such as local times, of which each machine has its own idea, and takes 30 February for 2 March. */
function millisecondsOf(text: unknown, name: string): number {
  const [written = '', day = ''] = (typeof text === 'string' && instant.exec(text)) || [];
  const at = Date.parse(written);
  const isDay = new Date(Date.parse(day)).toJSON()?.startsWith(day) ?? false;
  if (Number.isNaN(at) || !isDay) throw new TypeError(`${name} must be an instant, such as 2026-11-01T00:00:00Z`);
  return at;
}
