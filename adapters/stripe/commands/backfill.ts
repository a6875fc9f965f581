import type { Administration } from '../../../core/administration/administration.ts';
import type { Call, NewCall } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import type { Digest } from '../../../core/secret.ts';
import { asUnavailable } from '../client/ask-stripe.ts';
import type { DeriveKey, LookAt } from '../look/look.ts';
import { readAndDecide, type StepParts } from '../look/step.ts';
import { allSubjects } from './subjects.ts';

export interface BackfillParts extends StepParts {
  readonly administration: Pick<Administration, 'findEntitlement' | 'listEntitlements' | 'showHistory'>;
  /** A look whose grants are made by the command. */
  readonly look: LookAt;
  readonly deriveKey: DeriveKey;
  readonly digest: Digest;
}

/** A key of an entitlement that a backfill has granted. */
export interface BackfilledKey {
  readonly id: string;
  readonly productId: string;
  readonly reference: string | null;
  readonly licenseKey: string;
}

export interface Backfilled {
  readonly granted: number;
  /** The number of sales that could not be granted, and are to be tried again. */
  readonly failed: number;
  /** Those of earlier backfills too, as long as they were neither replaced nor revoked. */
  readonly keys: readonly BackfilledKey[];
}

/**
 * Grants what has access at Stripe, or is suspended there, and is unknown here. Safe to repeat. Refuses with
 * `stripe_unavailable`.
 */
export type Backfill = (newCall: NewCall) => Promise<Backfilled>;

export function backfill(parts: BackfillParts): Backfill {
  return async (newCall) => {
    let granted = 0;
    let failed = 0;
    const keys: BackfilledKey[] = [];
    try {
      for await (const id of allSubjects(parts.stripe, newCall)) {
        const outcome = await grantAt(parts, id, newCall).catch(() => null);
        if (outcome === null) failed += 1;
        else if (outcome.isNew) granted += 1;
        const entitlement = outcome?.entitlement ?? null;
        const key = entitlement === null ? null : await keyOf(parts, entitlement, newCall());
        if (key !== null) keys.push(key);
      }
    } catch (error) {
      throw asUnavailable(error);
    }
    return { granted, failed, keys };
  };
}

interface Outcome {
  readonly entitlement: Entitlement | null;
  readonly isNew: boolean;
}

async function grantAt(parts: BackfillParts, id: string, newCall: NewCall): Promise<Outcome | null> {
  const { decision, entitlement } = await readAndDecide(parts, { id, session: null }, newCall());
  if (decision.kind !== 'grant') return { entitlement, isNew: false };
  const look = await parts.look(id, newCall());
  if (look.kind === 'refused') return null;
  return look.kind === 'aligned'
    ? { entitlement: look.entitlement, isNew: look.outcome === 'granted' }
    : { entitlement: null, isNew: false };
}

/** The key of an entitlement that a command has granted, if its license is still the derived one. */
async function keyOf(
  { administration, deriveKey, digest }: BackfillParts,
  { id, productId, reference, license }: Entitlement,
  call: Call,
): Promise<BackfilledKey | null> {
  const licenseKey = license === null || license.revokedAt !== null ? null : await deriveKey(id, call);
  if (licenseKey === null || licenseDigest(licenseKey, digest) !== license?.digest) return null;
  const history = await administration.showHistory(id, call);
  const isOurs = history.some(({ operation, by }) => operation === 'granted' && by.startsWith('command:'));
  return isOurs ? { id, productId, reference, licenseKey } : null;
}
