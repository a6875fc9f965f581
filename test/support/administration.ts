import { CommandFailed } from '../../adapters/cli/shell/errors.ts';
import type { OpenAdministration } from '../../adapters/cli/shell/shell.ts';
import { MemoryStore } from '../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../adapters/memory/open-memory-store.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { defaultSettings } from '../../app/settings/resolve.ts';
import { administrationOf } from '../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { StorePorts } from '../../core/store/store.port.ts';

const { consoleIdle, eventRetention, receiptMaxAge, trialRetention } = defaultSettings;

/** The settings that a command gets. They have no key of Stripe. */
export const commandSettings = {
  issuer: 'https://latchkey.test',
  consoleIdle,
  eventRetention,
  receiptMaxAge,
  trialRetention,
  stripe: (): Promise<never> => Promise.reject(new CommandFailed('stripe_not_configured', 'There is no key.')),
};

/** Builds the administrator's use cases over a store in memory, with some of its ports replaced. */
export function administrationOver(store = new MemoryStore(), replaced: Partial<StorePorts> = {}): OpenAdministration {
  const { ports } = openMemoryStore(retentionFor(defaultTtl), store);
  return { ...administrationOf({ ...ports, ...replaced }, nodePlatform), ...commandSettings, close: async () => {} };
}
