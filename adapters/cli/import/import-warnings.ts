import { loggedWarning } from '../../../core/administration/change-log.ts';
import type {
  EntitlementDraft,
  ImportEntitlements,
} from '../../../core/entitlement/administration/import-entitlements.ts';
import { GuessableKeys } from '../../../core/license/guessable-keys.ts';
import { tierKey } from '../../../core/tier/allowance.ts';
import { unknownTierText } from '../../administration/commands/tier-warning.ts';
import { readJsonLines } from '../input/json-lines.ts';
import { writeError } from '../output/shown-text.ts';
import type { Shell } from '../shell/shell.ts';
import { entitlementOfJson, errorOf } from './entitlement-import.ts';
import type { Import, StoreDrafts } from './import-command.ts';

/** Limits the lines of a warning, and the memory of an import in which each tier is unknown. */
const maxTiers = 10;

/** The warnings about the entitlements that an import has stored. */
class Warnings {
  readonly keys = new GuessableKeys();
  /** The number of entitlements with a tier that no app may know, by tier. */
  readonly #tiers = new Map<string, number>();
  #ofMoreTiers = 0;

  addTier({ productId, tierId }: EntitlementDraft['grant']): void {
    const tier = tierKey({ productId, tierId });
    const before = this.#tiers.get(tier);
    if (before === undefined && this.#tiers.size === maxTiers) this.#ofMoreTiers += 1;
    else this.#tiers.set(tier, (before ?? 0) + 1);
  }

  get logged(): ReturnType<typeof loggedWarning> {
    return loggedWarning(this.#tiers.size > 0 ? { isUnknownTier: true } : {});
  }

  get texts(): readonly string[] {
    return [
      ...(this.keys.count > 0 ? [keysText(this.keys.count)] : []),
      ...[...this.#tiers].map(([tier, count]) => tierText(tier, count)),
      ...(this.#ofMoreTiers > 0
        ? [`Warning: entitlements that have further tiers of this kind: ${this.#ofMoreTiers}.`]
        : []),
    ];
  }
}

function keysText(count: number): string {
  return `Warning: ${count} license keys are a common prefix and digits, so others can be guessed; rotate them.`;
}

function tierText(tier: string, count: number): string {
  const [productId, tierId] = tier.split('/');
  return `Warning: ${unknownTierText(productId, tierId)} ${count === 1 ? '1 entitlement has' : `${count} entitlements have`} it.`;
}

/**
 * Runs an import of entitlements, and warns of keys that could be guessed and of tiers that no app may know. `importing`
 * says how a file is read and stored, and what the log says of it.
 */
export async function withWarnings(
  { stderr }: Shell,
  work: (importing: Import<EntitlementDraft>) => Promise<void>,
): Promise<void> {
  const warnings = new Warnings();
  try {
    await work({
      read: (content) => readJsonLines(content, entitlementOfJson),
      begin: (store, isDry) => noting(isDry ? store.dryRunOfEntitlements() : store.importEntitlements, warnings),
      logged: (imported) => ({ command: 'entitlement import', entitlements: imported, ...warnings.logged }),
    });
  } finally {
    for (const text of warnings.texts) writeError({ stderr }, `${text}\n`);
  }
}

/** Imports, and notes the keys and the tiers of the entitlements that are imported. */
function noting(importAll: ImportEntitlements, warnings: Warnings): StoreDrafts<EntitlementDraft> {
  return async (drafts, call) => {
    const outcomes = await importAll(drafts, call);
    return outcomes.map((outcome, position) => {
      if (outcome.kind === 'refused') return errorOf(outcome.code);
      const draft = drafts[position];
      if (draft === undefined) return null;
      if (draft.licenseKey !== null) warnings.keys.add(draft.licenseKey);
      if (outcome.isUnknownTier === true) warnings.addTier(draft.grant);
      return null;
    });
  };
}
