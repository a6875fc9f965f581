import type { Call } from '../call.ts';
import type { CommandAnswer, SeenOutcome } from '../entitlement/administration/apply-decision.ts';
import type { Snapshot } from '../entitlement/snapshot.ts';
import type { SeenCommand } from '../purchase/change-seen.ts';
import type { Administration } from './administration.ts';

/** The log line of a change by the administrator or of a test message. Contains no keys, licenses or addresses. */
export type LoggedChange =
  | { readonly command: string; readonly productId: string }
  | { readonly command: string; readonly appKeyId: string }
  | { readonly command: string; readonly operatorKeyId: string }
  | { readonly command: string; readonly webhookId: string }
  | { readonly command: string; readonly signingKeyId: string }
  | { readonly command: string; readonly price: string }
  | { readonly command: string; readonly slug: string }
  | { readonly command: string; readonly listings: number }
  | { readonly command: string; readonly entitlements: number }
  | { readonly command: string; readonly entries: number }
  | { readonly command: string; readonly records: number; readonly events: number; readonly sessions: number }
  | { readonly command: string; readonly entitlementId: string; readonly expiresAt: Date }
  | {
      readonly command: string;
      readonly entitlementId: string;
      /** 0 for a grant. */
      readonly versionBefore: number;
      readonly version: number;
    };

/** Logs a change, which the call has made. */
export type LogChange = (change: LoggedChange, call: Call) => void;

/** Makes the line of a use case from its answer and parameters. Null if nothing was changed or sent. */
type Line<UseCase> = UseCase extends (
  ...parameters: infer Parameters extends [...unknown[], Call]
) => Promise<infer Answer>
  ? (answer: Answer, ...parameters: Parameters) => LoggedChange | null
  : never;

/** The line of each use case that makes one change. Callers log a use case that makes many, as one line. */
const lines = {
  addProduct: (_product, productId) => ({ command: 'product add', productId }),
  putProduct: ({ outcome }, productId) =>
    outcome === 'unchanged' ? null : { command: outcome === 'added' ? 'product add' : 'product rename', productId },
  renameProduct: ({ changed }, { id: productId }) => (changed ? { command: 'product rename', productId } : null),
  mapPrice: ({ outcome }, { price }) => (outcome === 'unchanged' ? null : { command: 'stripe map add', price }),
  unmapPrice: (removed, price) => (removed ? { command: 'stripe map remove', price } : null),
  issueAppKey: ({ issued, key }) => (key === null ? null : { command: 'key issue', appKeyId: issued.id }),
  rotateAppKey: ({ issued, key }) => (key === null ? null : { command: 'key rotate', appKeyId: issued.id }),
  revokeAppKey: ({ changed }, appKeyId) => (changed ? { command: 'key revoke', appKeyId } : null),
  issueOperatorKey: ({ issued, key }) =>
    key === null ? null : { command: 'operator issue', operatorKeyId: issued.id },
  rotateOperatorKey: ({ issued, key }) =>
    key === null ? null : { command: 'operator rotate', operatorKeyId: issued.id },
  revokeOperatorKey: ({ changed }, operatorKeyId) => (changed ? { command: 'operator revoke', operatorKeyId } : null),
  grantEntitlement: ({ entitlement }) => ofGrant(entitlement),
  putEntitlement: ({ entitlement, outcome }) => (outcome === 'unchanged' ? null : ofGrant(entitlement)),
  runEntitlementCommand: (answer, _id, { kind }) => ofEntitlement(`entitlement ${kind}`, answer),
  alignEntitlement: (outcome) => ofSeen('entitlement align', outcome),
  runSeenCommand: (outcome, _seen, { kind }) => ofSeen(`entitlement ${kind}`, outcome),
  changeSeen: (answer, { command: { kind } }) => ofEntitlement(seenCommands[kind], answer),
  rotateLicense: (answer) => ofEntitlement('license rotate', answer),
  revokeLicense: (answer) => ofEntitlement('license revoke', answer),
  issueOfflineReceipt: ({ entitlementId, expiresAt }) => ({ command: 'license receipt', entitlementId, expiresAt }),
  rotateSigningKeys: ({ keys, changed }) => {
    const [active] = keys;
    return changed && active !== undefined ? { command: 'signing-key rotate', signingKeyId: active.kid } : null;
  },
  revokeSigningKey: ({ key, changed }) => (changed ? { command: 'signing-key revoke', signingKeyId: key.kid } : null),
  putListing: ({ outcome }, { slug }) => (outcome === 'unchanged' ? null : { command: 'listing put', slug }),
  saveListing: ({ kind }, _seen, { slug }) => (kind === 'stale' ? null : { command: 'listing put', slug }),
  pauseListing: (outcome, slug) => (outcome === 'unchanged' ? null : { command: 'listing pause', slug }),
  publishListing: (outcome, slug) => (outcome === 'unchanged' ? null : { command: 'listing publish', slug }),
  deleteListing: (deleted, slug) => (deleted === 0 ? null : { command: 'listing delete', slug }),
  eraseFromWaitlist: (entries) => (entries === 0 ? null : { command: 'waitlist erase', entries }),
  addWebhook: ({ endpoint, secret }) => (secret === null ? null : { command: 'webhook add', webhookId: endpoint.id }),
  rotateWebhookSecret: (_rotated, { id: webhookId }) => ({ command: 'webhook rotate-secret', webhookId }),
  testWebhook: (_outcome, webhookId) => ({ command: 'webhook test', webhookId }),
  enableWebhook: ({ changed }, webhookId) => (changed ? { command: 'webhook enable', webhookId } : null),
  disableWebhook: ({ changed }, webhookId) => (changed ? { command: 'webhook disable', webhookId } : null),
  retryWebhook: (events, webhookId) => (events === 0 ? null : { command: 'webhook retry', webhookId }),
  replayWebhook: (_stream, { id }) => ({ command: 'webhook replay', webhookId: id }),
  skipWebhookEvents: ({ changed }, { id }) => (changed ? { command: 'webhook skip', webhookId: id } : null),
  deleteWebhook: (deleted, webhookId) => (deleted ? { command: 'webhook delete', webhookId } : null),
} satisfies { readonly [Name in keyof Administration]?: Line<Administration[Name]> };

/** The names of changes in the log: those of the commands. */
const seenCommands = {
  renew: 'entitlement renew',
  'change-tier': 'entitlement change-tier',
  cancel: 'entitlement cancel',
  resume: 'entitlement resume',
  'past-due': 'entitlement past-due',
  suspend: 'entitlement suspend',
  reinstate: 'entitlement reinstate',
  revoke: 'entitlement revoke',
  'rotate-license': 'license rotate',
  'revoke-license': 'license revoke',
} as const satisfies Readonly<Record<SeenCommand['kind'], string>>;

function ofGrant(snapshot: Snapshot): LoggedChange | null {
  return ofEntitlement('entitlement grant', { snapshot, versionBefore: 0 });
}

function ofSeen(command: string, outcome: SeenOutcome): LoggedChange | null {
  return outcome.kind === 'stale' ? null : ofEntitlement(command, outcome);
}

function ofEntitlement(command: string, { snapshot, versionBefore }: CommandAnswer): LoggedChange | null {
  const { id, version } = snapshot;
  return version === versionBefore ? null : { command, entitlementId: id, versionBefore, version };
}

/** Any use case of the table, and its line. The type of the table pairs them. */
type AnyUseCase = (...parameters: readonly unknown[]) => Promise<unknown>;
type AnyLine = (answer: unknown, ...parameters: readonly unknown[]) => LoggedChange | null;

/** Makes an administration whose use cases log each change once they have made it. */
export function logChanges<A extends Administration>(administration: A, log: LogChange): A {
  const names = Object.keys(lines) as readonly (keyof typeof lines)[];
  const logging = names.map((name) => {
    const run = administration[name] as AnyUseCase;
    const lineOf = lines[name] as AnyLine;
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
