import type { Command } from 'commander';
import type { CommonOptions } from './administer.ts';
import { addSettingFlags, typedSettings } from './settings-flags.ts';
import type { ServeOptions, Shell } from './shell.ts';

export function addServerCommands(program: Command, shell: Shell): void {
  addSettingFlags(program.command('serve'), shell.settingFlags)
    .description('answer requests until told to stop, and create the store if there is none')
    .action((_options: unknown, command: Command) => shell.serve(optionsOf(command, shell)));

  addSettingFlags(program.command('demo'), shell.settingFlags)
    .description('serve a store filled with examples, and show a request for each of them')
    .action((_options: unknown, command: Command) => shell.demo(optionsOf(command, shell)));
}

function optionsOf(command: Command, shell: Shell): ServeOptions {
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  return { settings: typedSettings(command, shell.settingFlags), json };
}
