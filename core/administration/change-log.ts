import type { Call } from '../call.ts';
import type { Listing } from '../catalog/listing.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { CommandAnswer, SeenOutcome } from '../entitlement/administration/apply-decision.ts';
import type { Snapshot } from '../entitlement/snapshot.ts';
import type { SeenCommand } from '../purchase/change-seen.ts';
import type { UnknownTier } from '../tier/allowance.ts';
import type { Administration } from './administration.ts';

/** The facts of a change in the log. They contain no keys, licenses or addresses. */
export type ChangeFacts = Readonly<Record<string, string | number | Date>>;

/** The log line of a change by the administrator or of a test message. */
export type LoggedChange = ChangeFacts & { readonly command: string };

/** Logs a change, which the call has made. */
export type LogChange = (change: LoggedChange, call: Call) => void;

/** Makes the line of a use case from its answer and parameters. Null if nothing was changed or sent. */
type Line<UseCase, Facts> = UseCase extends (
  ...parameters: infer Parameters extends [...unknown[], Call]
) => Promise<infer Answer>
  ? (answer: Answer, ...parameters: Parameters) => Facts | null
  : never;

/** The lines of use cases that make one change. Callers log a use case that makes many, as one line. */
export type ChangeLines<Facts = LoggedChange> = {
  readonly [Name in keyof Administration]?: Line<Administration[Name], Facts>;
};

/** The lines of changes without a declared command: those by the console, Stripe and hand-written commands. */
const ownLines = {
  grantEntitlement: (answer) => ofGrant(answer),
  putEntitlement: (answer) => (answer.outcome === 'unchanged' ? null : ofGrant(answer)),
  runEntitlementCommand: (answer, _id, { kind }) => ofEntitlement(`entitlement ${kind}`, answer),
  alignEntitlement: (outcome) => ofSeen('entitlement align', outcome),
  runSeenCommand: (outcome, _seen, { kind }) => ofSeen(`entitlement ${kind}`, outcome),
  changeSeen: (answer, { command: { kind } }) => ofEntitlement(seenCommands[kind], answer),
  takeInvitation: ({ issued: { id, products } }) => ({
    command: 'waitlist take',
    operatorKeyId: id,
    products: (products ?? []).join(' '),
  }),
  issueOfflineReceipt: ({ entitlementId, expiresAt }) => ({ command: 'license receipt', entitlementId, expiresAt }),
  closeStatements: ({ closed }, { month }) =>
    closed.length === 0 ? null : { command: 'statement close', month, statements: closed.length },
  saveListing: (outcome, _seen, draft) => ofSaved(outcome, draft),
  saveDraft: (outcome, _seen, draft) => ofSaved(outcome, draft),
  publishSeenListing: (answer, { slug }) => (answer === 'unchanged' ? null : { command: 'listing publish', slug }),
  saveTier: ({ tier: { productId, id: tierId, revision }, outcome }) =>
    outcome === 'unchanged' ? null : { command: 'tier put', productId, tierId, revision },
} satisfies ChangeLines;

/** The names of changes in the log: those of the commands. */
const seenCommands = {
  renew: 'entitlement renew',
  allow: 'entitlement allow',
  'change-tier': 'entitlement change-tier',
  cancel: 'entitlement cancel',
  resume: 'entitlement resume',
  'past-due': 'entitlement past-due',
  suspend: 'entitlement suspend',
  reinstate: 'entitlement reinstate',
  revoke: 'entitlement revoke',
  'rotate-license': 'license rotate',
  'revoke-license': 'license revoke',
  'move-license': 'license move',
} as const satisfies Readonly<Record<SeenCommand['kind'], string>>;

function ofGrant({
  entitlement: snapshot,
  ...answer
}: UnknownTier & { readonly entitlement: Snapshot }): LoggedChange | null {
  return ofEntitlement('entitlement grant', { ...answer, snapshot, versionBefore: 0 });
}

function ofSaved({ kind }: ReplaceOutcome, { slug }: Pick<Listing, 'slug'>): LoggedChange | null {
  return kind === 'stale' ? null : { command: 'listing put', slug };
}

function ofSeen(command: string, outcome: SeenOutcome): LoggedChange | null {
  return outcome.kind === 'stale' ? null : ofEntitlement(command, outcome);
}

function ofEntitlement(command: string, answer: CommandAnswer): LoggedChange | null {
  const facts = versionsIn(answer);
  return facts && { command, ...facts, ...loggedWarning(answer) };
}

/** The warning in the log about a tier that no app may know. */
export function loggedWarning({ isUnknownTier }: UnknownTier): { readonly warning?: string } {
  return isUnknownTier === true ? { warning: 'tier_not_declared' } : {};
}

/** The versions of a changed entitlement, for the log. The version before a grant is 0. */
export function versionsIn({ snapshot, versionBefore }: CommandAnswer): ChangeFacts | null {
  const { id, version } = snapshot;
  return version === versionBefore ? null : { entitlementId: id, versionBefore, version };
}

type AnyUseCase = (...parameters: readonly unknown[]) => Promise<unknown>;
type AnyLine = (answer: unknown, ...parameters: readonly unknown[]) => LoggedChange | null;

/** Makes an administration whose use cases log each change once they have made it: those of these lines, and core's own. */
export function logChanges<A extends Administration>(administration: A, log: LogChange, lines: ChangeLines = {}): A {
  const all = Object.entries({ ...ownLines, ...lines } as Readonly<Record<keyof Administration, AnyLine>>);
  const logging = all.map(([name, lineOf]) => {
    const run = administration[name as keyof Administration] as AnyUseCase;
    const runAndLog: AnyUseCase = async (...parameters) => {
      const answer = await run(...parameters);
      const change = lineOf(answer, ...parameters);
      if (change !== null) log(change, parameters.at(-1) as Call);
      return answer;
    };
    return [name, runAndLog] as const;
  });
  return { ...administration, ...Object.fromEntries(logging) };
}
