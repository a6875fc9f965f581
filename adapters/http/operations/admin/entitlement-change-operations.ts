import type { Administration } from '../../../../core/administration/administration.ts';
import type { CommandAnswer } from '../../../../core/entitlement/administration/apply-decision.ts';
import type { TierChange } from '../../../../core/entitlement/change-tier.ts';
import { defaultGrace, type EntitlementCommand } from '../../../../core/entitlement/entitlement-command.ts';
import { billingIntervals } from '../../../../core/entitlement/entitlement.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { displayNameRule } from '../../../../core/parsing/display-name.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { snapshotView } from '../views.ts';
import type { AdminAnswer, AdminRow } from './admin-operation.ts';
import { bodyReader } from './body-reader.ts';
import { changeDocs, changeTierDocs, renewDocs } from './docs/entitlement-change-docs.ts';

const readRenewal = bodyReader<{ readonly currentPeriodEnd: Date; readonly grace?: number }>(
  { currentPeriodEnd: instantRule, grace: durationRule },
  ['currentPeriodEnd'],
);

interface TierBody extends Pick<TierChange, 'tierId' | 'tierName'> {
  readonly billingInterval?: (typeof billingIntervals)[number];
  readonly currentPeriodEnd?: Date;
  readonly grace?: number;
}

const readTier = bodyReader<TierBody>(
  {
    tierId: identifierRule,
    tierName: displayNameRule,
    billingInterval: oneOf(billingIntervals),
    currentPeriodEnd: instantRule,
    grace: durationRule,
  },
  ['tierId', 'tierName'],
);

/** The changes that a body does not describe further, with their operation ids. */
const plainChanges = {
  'past-due': 'markPastDue',
  suspend: 'suspendEntitlement',
  reinstate: 'reinstateEntitlement',
  revoke: 'revokeEntitlement',
  cancel: 'scheduleCancellation',
  resume: 'undoCancellation',
} as const;

/** The changes of an entitlement that exists. */
export function entitlementChangeRows({ runEntitlementCommand }: Administration): readonly AdminRow[] {
  const row = (
    id: string,
    kind: EntitlementCommand['kind'],
    more: Pick<AdminRow, 'docs' | 'body'>,
    commandIn: (body: unknown) => EntitlementCommand,
  ): AdminRow => ({
    id,
    method: 'POST',
    path: `/admin/entitlements/:id/${kind}`,
    access: 'admin:entitlements',
    ...more,
    answer: async ({ parameters, body, call }) => {
      const answer = await runEntitlementCommand(parameters['id'] ?? '', commandIn(body), call);
      return changeAnswer(`entitlement ${kind}`, answer, snapshotView(answer.snapshot));
    },
  });
  return [
    row('renewEntitlement', 'renew', { docs: renewDocs, body: 'json' }, (body) => {
      const { currentPeriodEnd, grace = defaultGrace } = readRenewal(body);
      return { kind: 'renew', currentPeriodEnd, grace };
    }),
    row('changeTier', 'change-tier', { docs: changeTierDocs, body: 'json' }, (body) => {
      const { billingInterval = null, currentPeriodEnd = null, grace = null, ...tier } = readTier(body);
      return { kind: 'change-tier', ...tier, billingInterval, currentPeriodEnd, grace };
    }),
    ...kindsOf(plainChanges).map((kind) => row(plainChanges[kind], kind, { docs: changeDocs[kind] }, () => ({ kind }))),
  ];
}

/** The answer to a change, which is logged unless everything was as wanted already. */
export function changeAnswer(command: string, answer: CommandAnswer, data: object): AdminAnswer {
  const { snapshot, versionBefore } = answer;
  const { id: entitlementId, version } = snapshot;
  const changed = version === versionBefore ? null : { command, entitlementId, versionBefore, version };
  return { data, changed, entitlementId };
}

function kindsOf<Kind extends string>(changes: Readonly<Record<Kind, string>>): readonly Kind[] {
  return Object.keys(changes) as Kind[];
}
