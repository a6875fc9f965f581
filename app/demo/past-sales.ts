import type { Administration } from '../../core/administration/administration.ts';
import type { Call } from '../../core/call.ts';
import type { EntitlementCommand } from '../../core/entitlement/entitlement-command.ts';
import { day } from '../../core/parsing/duration.ts';

type Change = Exclude<EntitlementCommand['kind'], 'allow' | 'renew'>;

/** A sale of `sketchpad`, and what happened to it: the days are those before today. */
interface PastSale {
  readonly soldBefore: number;
  readonly tierId: 'solo' | 'pro' | 'team';
  readonly interval: 'month' | 'year';
  readonly changes: readonly (readonly [before: number, kind: Change])[];
}

const tierNames = { solo: 'Solo', pro: 'Pro', team: 'Team' } as const;

const sales: readonly PastSale[] = [
  { soldBefore: 34, tierId: 'pro', interval: 'year', changes: [[6, 'change-tier']] },
  { soldBefore: 21, tierId: 'solo', interval: 'month', changes: [[4, 'cancel']] },
  { soldBefore: 13, tierId: 'team', interval: 'year', changes: [] },
  { soldBefore: 12, tierId: 'pro', interval: 'month', changes: [[3, 'suspend']] },
  { soldBefore: 12, tierId: 'solo', interval: 'month', changes: [] },
  {
    soldBefore: 10,
    tierId: 'pro',
    interval: 'month',
    changes: [
      [9, 'cancel'],
      [8, 'resume'],
    ],
  },
  { soldBefore: 9, tierId: 'pro', interval: 'year', changes: [] },
  { soldBefore: 7, tierId: 'solo', interval: 'month', changes: [[2, 'past-due']] },
  { soldBefore: 6, tierId: 'team', interval: 'month', changes: [] },
  { soldBefore: 5, tierId: 'pro', interval: 'month', changes: [[5, 'cancel']] },
  { soldBefore: 3, tierId: 'pro', interval: 'month', changes: [] },
  { soldBefore: 2, tierId: 'solo', interval: 'year', changes: [] },
  { soldBefore: 1, tierId: 'pro', interval: 'month', changes: [] },
];

/** Adds sales of the last weeks with their changes, in their order, so that there is a history to look at. */
export async function addPastSales(administration: Administration, call: Call): Promise<void> {
  const history = sales
    .flatMap(({ changes, ...sale }, index) => {
      const id = `ent_sale_${index + 1}`;
      const sold = { before: sale.soldBefore, happen: (at: Call) => grant(administration, id, index, sale, at) };
      const changed = changes.map(([before, kind]) => ({
        before,
        happen: (at: Call) => administration.runEntitlementCommand(id, commandOf(kind), at),
      }));
      return [sold, ...changed];
    })
    .toSorted((one, other) => other.before - one.before);
  for (const { before, happen } of history) await happen({ ...call, now: new Date(call.now.getTime() - before * day) });
}

async function grant(
  administration: Administration,
  id: string,
  index: number,
  { tierId, interval }: Pick<PastSale, 'tierId' | 'interval'>,
  call: Call,
): Promise<void> {
  const terms = {
    kind: 'subscription',
    productId: 'sketchpad',
    tierId,
    tierName: tierNames[tierId],
    standing: 'active',
    currentPeriodStart: null,
    reference: `order-${1001 + index}`,
    billingInterval: interval,
    billingIntervalCount: 1,
    currentPeriodEnd: null,
    grace: day,
  } as const;
  await administration.grantEntitlement({ grant: terms, id, licenseKey: null }, call);
}

function commandOf(kind: Change): EntitlementCommand {
  if (kind !== 'change-tier') return { kind };
  const kept = { billingInterval: null, billingIntervalCount: null, currentPeriodEnd: null, grace: null };
  return { kind, tierId: 'team', tierName: 'Team', ...kept };
}
