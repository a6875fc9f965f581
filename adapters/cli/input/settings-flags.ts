import type { Command } from 'commander';
import type { SettingFlag, TypedSettings } from '../shell/shell.ts';

/** Adds a flag for each setting except `--store`, which every command has. */
export function addSettingFlags(command: Command, flags: readonly SettingFlag[]): Command {
  for (const { flag, description } of flags) {
    if (flag !== '--store') command.option(`${flag} <value>`, description);
  }
  return command;
}

/** The settings that a command line gives, as typed. */
export function typedSettings(command: Command, flags: readonly SettingFlag[]): TypedSettings {
  const options = command.optsWithGlobals<Record<string, unknown>>();
  const typed = flags.flatMap(({ name }): readonly (readonly [string, string])[] => {
    const value = options[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const file = options['config'];
  return { flags: Object.fromEntries(typed), file: typeof file === 'string' ? file : null };
}
