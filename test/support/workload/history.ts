import type { CancellationOperation } from '../../../core/entitlement/cancellation.ts';

/** One request of a client, as the client saw it. `sent` and `answered` are positions in one order of everything that the clients saw. */
export interface Attempt {
  readonly entitlementId: string;
  readonly operation: CancellationOperation;
  readonly key: string;
  readonly sent: number;
  readonly outcome: Success | Unknown;
}

export interface Success {
  readonly kind: 'success';
  readonly answered: number;
  readonly body: string;
  readonly replayed: boolean;
}

/** The connection was lost, or the service said that it did not know. */
export interface Unknown {
  readonly kind: 'unknown';
}

/** The members of a snapshot that the model is about; it has the others, too. */
export interface SeenSnapshot {
  readonly id: string;
  readonly version: number;
  readonly cancelAtPeriodEnd: boolean;
}

/** All that happened to some entitlements, changed by nothing but these attempts. */
export interface History {
  /** As they were read before the first attempt. */
  readonly before: readonly SeenSnapshot[];
  readonly attempts: readonly Attempt[];
  /** As they were read after the last. */
  readonly after: readonly SeenSnapshot[];
}

/**
 * Where a history breaks the promise that one key has one effect and one answer, and that no acknowledged change is
 * lost; empty for a history that keeps it. The model of an entitlement: each change makes the next version, changes
 * are cancel and resume in turn, and a request that changes nothing answers with the version that it found.
 */
export function violations({ before, attempts, after }: History): readonly string[] {
  const uses = [...Map.groupBy(attempts, ({ key }) => key)].map(([key, own]) => useOf(key, own));
  return [
    ...uses.flatMap(ofKey),
    ...before.flatMap((first) => {
      const last = after.find(({ id }) => id === first.id);
      const own = uses.filter(({ entitlementId }) => entitlementId === first.id);
      return last === undefined ? [`${first.id} is gone`] : ofEntitlement(first, own, last);
    }),
  ];
}

/** All attempts with one key. */
interface Use {
  readonly key: string;
  readonly entitlementId: string;
  readonly operation: CancellationOperation;
  readonly sent: number;
  readonly successes: readonly Success[];
  /** What the first success said; null while no attempt had one. */
  readonly answer: { readonly at: number; readonly data: SeenSnapshot } | null;
}

function useOf(key: string, attempts: readonly Attempt[]): Use {
  const [first] = attempts;
  if (first === undefined) throw new Error('a key without an attempt');
  const successes = attempts
    .map(({ outcome }) => outcome)
    .filter((outcome) => outcome.kind === 'success')
    .toSorted((a, b) => a.answered - b.answered);
  const [success] = successes;
  return {
    key,
    entitlementId: first.entitlementId,
    operation: first.operation,
    sent: Math.min(...attempts.map(({ sent }) => sent)),
    successes,
    answer: success === undefined ? null : { at: success.answered, data: dataOf(success.body) },
  };
}

function dataOf(body: string): SeenSnapshot {
  const { data }: { readonly data: SeenSnapshot } = JSON.parse(body);
  return data;
}

/** One key: one body, and at most one answer that is not a replay of it. */
function ofKey({ key, entitlementId, operation, successes, answer }: Use): readonly string[] {
  if (answer === null) return [];
  const { data } = answer;
  const found: string[] = [];
  if (new Set(successes.map(({ body }) => body)).size > 1) found.push(`${key} gave different bodies`);
  if (successes.filter(({ replayed }) => !replayed).length > 1) found.push(`${key} was carried out more than once`);
  if (data.id !== entitlementId) found.push(`${key} was answered with ${data.id} instead of ${entitlementId}`);
  if (data.cancelAtPeriodEnd !== (operation === 'cancel')) found.push(`${key} says that ${operation} had no effect`);
  return found;
}

function ofEntitlement(first: SeenSnapshot, uses: readonly Use[], last: SeenSnapshot): readonly string[] {
  return [
    ...ofVersions(first, uses, last),
    ...ofGaps(first, uses, last),
    ...uses.flatMap((use) => ofOrder(use, uses)),
  ].map((sentence) => `${first.id}: ${sentence}`);
}

/** A version is one state, the last one included, and none is beyond the last. */
function ofVersions(first: SeenSnapshot, uses: readonly Use[], last: SeenSnapshot): readonly string[] {
  const seen = [first, ...uses.flatMap(({ answer }) => (answer === null ? [] : [answer.data])), last];
  return [...Map.groupBy(seen, ({ version }) => version)].flatMap(([version, states]) => {
    const found: string[] = [];
    if (new Set(states.map((state) => JSON.stringify(state))).size > 1) {
      found.push(`version ${version} was acknowledged for different changes`);
    }
    if (version > last.version) found.push(`version ${version} was acknowledged, and the last is ${last.version}`);
    if (states.some((state) => state.cancelAtPeriodEnd !== isScheduled(first, version))) {
      found.push(`version ${version} is not what ${version - first.version} changes make`);
    }
    return found;
  });
}

/** Every version up to the last belongs to a key: to one that was answered with it, or to one whose outcome nobody knows. */
function ofGaps(first: SeenSnapshot, uses: readonly Use[], last: SeenSnapshot): readonly string[] {
  const claimed = new Set(uses.map(({ answer }) => answer?.data.version));
  const unclaimed = Array.from(
    { length: Math.max(0, last.version - first.version) },
    (_, step) => first.version + 1 + step,
  ).filter((version) => !claimed.has(version));
  return (['cancel', 'resume'] as const).flatMap((operation) => {
    const unknown = uses.filter((use) => use.answer === null && use.operation === operation).length;
    const made = unclaimed.filter((version) => isScheduled(first, version) === (operation === 'cancel'));
    return made.length <= unknown
      ? []
      : [`versions ${made.join(', ')} were made by ${operation}, but only ${unknown} such keys are without an answer`];
  });
}

/** A request that was sent after another was answered sees at least its version. */
function ofOrder(use: Use, uses: readonly Use[]): readonly string[] {
  const { answer } = use;
  if (answer === null) return [];
  return uses
    .filter((other) => other.answer !== null && other.answer.at < use.sent)
    .filter((other) => other.answer !== null && other.answer.data.version > answer.data.version)
    .map((other) => `${use.key} did not see the change of ${other.key}, which had been acknowledged`);
}

function isScheduled(first: SeenSnapshot, version: number): boolean {
  return first.cancelAtPeriodEnd === ((version - first.version) % 2 === 0);
}
