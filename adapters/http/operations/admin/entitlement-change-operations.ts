import type { Administration } from '../../../../core/administration/administration.ts';
import { defaultGrace, type EntitlementCommand } from '../../../../core/entitlement/entitlement-command.ts';
import { snapshotView } from '../views.ts';
import type { AdminRow } from './admin-operation.ts';
import { renewalBody, tierBody } from './bodies/admin-bodies.ts';
import { changeDocs, changeTierDocs, renewDocs } from './docs/entitlement-change-docs.ts';

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
      const { snapshot } = await runEntitlementCommand(parameters['id'] ?? '', commandIn(body), call);
      return { data: snapshotView(snapshot), entitlementId: snapshot.id };
    },
  });
  return [
    row('renewEntitlement', 'renew', { docs: renewDocs, body: 'json' }, (body) => {
      const { currentPeriodEnd, grace = defaultGrace } = renewalBody.read(body);
      return { kind: 'renew', currentPeriodEnd, grace };
    }),
    row('changeTier', 'change-tier', { docs: changeTierDocs, body: 'json' }, (body) => {
      const { billingInterval = null, billingIntervalCount = null, ...others } = tierBody.read(body);
      const { currentPeriodEnd = null, grace = null, ...tier } = others;
      return { kind: 'change-tier', ...tier, billingInterval, billingIntervalCount, currentPeriodEnd, grace };
    }),
    ...kindsOf(plainChanges).map((kind) => row(plainChanges[kind], kind, { docs: changeDocs[kind] }, () => ({ kind }))),
  ];
}

function kindsOf<Kind extends string>(changes: Readonly<Record<Kind, string>>): readonly Kind[] {
  return Object.keys(changes) as Kind[];
}
