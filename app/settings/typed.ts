import type { TypedSettings } from '../../adapters/cli/shell.ts';
import { WrongArgument } from '../../adapters/cli/wrong-argument.ts';
import { InvalidSettings, resolveSettings, type ResolvedSettings, type SettingSources } from './resolve.ts';

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
