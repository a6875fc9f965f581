import { cancellationOperations, type CancellationOperation } from '../../../core/entitlement/cancellation.ts';

/**
 * One request as its client saw it. `sent` and `answered` are positions in the one order of all requests and answers.
 */
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

/** The connection was lost, or the service answered that the outcome is unknown. */
export interface Unknown {
  readonly kind: 'unknown';
}

/** The members of a snapshot that the model checks. The snapshots have all others, too. */
export interface SeenSnapshot {
  readonly id: string;
  readonly version: number;
  readonly cancelAtPeriodEnd: boolean;
}

/** Everything that happened to some entitlements. Nothing but these attempts changed them. */
export interface History {
  /** The entitlements before the first attempt. */
  readonly before: readonly SeenSnapshot[];
  readonly attempts: readonly Attempt[];
  /** The entitlements after the last attempt. */
  readonly after: readonly SeenSnapshot[];
}

/**
 * Finds where a history breaks the promises that one key has one effect and one answer, and that no acknowledged change
 * is lost. The model of an entitlement: each change makes the next version, changes alternate between cancel and
 * resume, and a request that changes nothing is answered with the version that it found.
 */
export function violations({ before, attempts, after }: History): readonly string[] {
  const uses = [...Map.groupBy(attempts, ({ key }) => key)].map(([key, own]) => useOf(key, own));
  return [
    ...uses.flatMap(checkKey),
    ...before.flatMap((first) => {
      const last = after.find(({ id }) => id === first.id);
      const own = uses.filter(({ entitlementId }) => entitlementId === first.id);
      return last === undefined ? [`${first.id} is gone`] : checkEntitlement(first, own, last);
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
  /** The first success, or null if no attempt has succeeded. */
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

/** A key must have one body, and at most one answer that is not a replay. */
function checkKey({ key, entitlementId, operation, successes, answer }: Use): readonly string[] {
  if (answer === null) return [];
  const { data } = answer;
  const found: string[] = [];
  if (new Set(successes.map(({ body }) => body)).size > 1) found.push(`${key} gave different bodies`);
  if (successes.filter(({ replayed }) => !replayed).length > 1) found.push(`${key} was carried out more than once`);
  if (data.id !== entitlementId) found.push(`${key} was answered with ${data.id} instead of ${entitlementId}`);
  if (data.cancelAtPeriodEnd !== (operation === 'cancel')) found.push(`${key} says that ${operation} had no effect`);
  return found;
}

function checkEntitlement(first: SeenSnapshot, uses: readonly Use[], last: SeenSnapshot): readonly string[] {
  return [
    ...checkVersions(first, uses, last),
    ...checkGaps(first, uses, last),
    ...uses.flatMap((use) => checkOrder(use, uses)),
  ].map((message) => `${first.id}: ${message}`);
}

/** A version must be one state everywhere, and none may be beyond the last. */
function checkVersions(first: SeenSnapshot, uses: readonly Use[], last: SeenSnapshot): readonly string[] {
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

/** Every version up to the last must belong to a key: one that was answered with it, or one with an unknown outcome. */
function checkGaps(first: SeenSnapshot, uses: readonly Use[], last: SeenSnapshot): readonly string[] {
  const claimed = new Set(uses.map(({ answer }) => answer?.data.version));
  const unclaimed = Array.from(
    { length: Math.max(0, last.version - first.version) },
    (_, step) => first.version + 1 + step,
  ).filter((version) => !claimed.has(version));
  return cancellationOperations.flatMap((operation) => {
    const unknown = uses.filter((use) => use.answer === null && use.operation === operation).length;
    const made = unclaimed.filter((version) => isScheduled(first, version) === (operation === 'cancel'));
    return made.length <= unknown
      ? []
      : [`versions ${made.join(', ')} were made by ${operation}, but only ${unknown} such keys are without an answer`];
  });
}

/** A request that was sent after the answer of another must see at least the version of that answer. */
function checkOrder(use: Use, uses: readonly Use[]): readonly string[] {
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
