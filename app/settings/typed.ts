import type { TypedSettings } from '../../adapters/cli/shell/shell.ts';
import { WrongArgument } from '../../adapters/cli/shell/errors.ts';
import { UnusableStore } from '../../core/store/unusable-store.ts';
import { InvalidSettings, resolveSettings, type SettingSources } from './resolve.ts';
import type { ResolvedSettings } from './resolved.ts';
import { settingsOf, type Settings } from './settings.ts';

/** The settings of a command line. Throws `WrongArgument` with all mistakes at once. */
export function resolveTyped(
  { flags, file }: TypedSettings,
  environment: SettingSources['environment'],
): ResolvedSettings {
  try {
    return resolveSettings({ flags, environment, file });
  } catch (error) {
    throw error instanceof InvalidSettings ? new WrongArgument(error.message) : error;
  }
}

/** The settings of a command that works on a store which outlives it. Throws `UnusableStore` for one in memory. */
export function settingsOfCommand(typed: TypedSettings, environment: SettingSources['environment']): Settings {
  const settings = settingsOf(resolveTyped(typed, environment));
  if (settings.store !== 'memory:') return settings;
  throw new UnusableStore('A store in memory ends with its process: only serve and demo can use one.');
}
