type Instant = Date | number;

/** What the peers know of a subscription, whichever store it came from. */
export interface Facts {
  readonly id: string;
  readonly productId: string;
  readonly standing: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: string;
  readonly currentPeriodStart: Instant;
  readonly currentPeriodEnd: Instant;
  readonly cancelAt: Instant | null;
  readonly canceledAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}

/** The answer to the verification of a license that exists. */
export function verified({ id, productId, standing, ...facts }: Facts): object {
  const { tierId, tierName, billingInterval, currentPeriodEnd } = facts;
  const entitlement = { id, productId, status: standing, tierId, tierName, billingInterval };
  return { valid: true, entitlement: { ...entitlement, currentPeriodEnd: iso(currentPeriodEnd) } };
}

export function snapshot(facts: Facts): object {
  return {
    id: facts.id,
    productId: facts.productId,
    kind: 'subscription',
    status: facts.standing,
    active: true,
    tierId: facts.tierId,
    tierName: facts.tierName,
    billingInterval: facts.billingInterval,
    currentPeriodStart: iso(facts.currentPeriodStart),
    currentPeriodEnd: iso(facts.currentPeriodEnd),
    cancelAtPeriodEnd: facts.cancelAt !== null,
    cancelAt: iso(facts.cancelAt),
    canceledAt: iso(facts.canceledAt),
    endedAt: null,
    allowedActions: facts.cancelAt === null ? ['cancel'] : ['resume'],
    createdAt: iso(facts.createdAt),
    updatedAt: iso(facts.updatedAt),
    version: facts.version,
  };
}

function iso(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
