import type { Command } from 'commander';
import type { CommonOptions } from '../run/run-command.ts';
import { addSettingFlags, typedSettings } from '../input/settings-flags.ts';
import type { ServeOptions, Shell } from '../shell/shell.ts';
import { WrongArgument } from '../shell/errors.ts';

export function addServerCommands(program: Command, shell: Shell): void {
  addSettingFlags(program.command('serve'), shell.settingFlags)
    .description('answer requests until told to stop, and create the store if there is none')
    .action((_options: unknown, command: Command) => shell.serve(optionsOf(command, shell)));

  addSettingFlags(program.command('demo'), shell.settingFlags)
    .description('serve a store of its own with examples, and show a request for each of them')
    .action((_options: unknown, command: Command) => {
      const options = optionsOf(command, shell);
      if (options.settings.flags['store'] === undefined) return shell.demo(options);
      throw new WrongArgument('The demo has a store of its own: leave out --store.');
    });
}

function optionsOf(command: Command, shell: Shell): ServeOptions {
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  return { settings: typedSettings(command, shell.settingFlags), json };
}
