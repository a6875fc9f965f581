import type { Command } from 'commander';
import { textThat } from '../../../core/parsing/value-rule.ts';
import { addSettingFlags, typedSettings, valueOption, wantsJson } from '../input/options.ts';
import { print, printPieces } from '../output/output.ts';
import { shownJson } from '../output/shown-text.ts';
import { table } from '../output/table.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { ServeOptions, Shell } from '../shell/shell.ts';

interface DemoFlags {
  readonly seed?: string;
}

const seedRule = textThat((text) => text !== '', 'must not be empty');

export function addServerCommands(program: Command, shell: Shell): void {
  addSettingFlags(program.command('serve'), shell.settingFlags)
    .description('serve until SIGTERM or SIGINT, and create the store if it does not exist')
    .action((_options: unknown, command: Command) => shell.serve(optionsOf(command, shell)));

  addSettingFlags(program.command('demo'), shell.settingFlags)
    .description('serve sample data from a temporary store, and print a request for each operation')
    .addOption(valueOption('--seed <text>', 'make the same keys and ids for the same text', seedRule))
    .action(({ seed }: DemoFlags, command: Command) => {
      const options = { ...optionsOf(command, shell), seed: seed ?? null };
      const { store, workers } = options.settings.flags;
      if (store !== undefined) throw new WrongArgument('The demo has a store of its own: leave out --store.');
      if (workers !== undefined) throw new WrongArgument('The demo is one process: leave out --workers.');
      return shell.demo(options);
    });
}

function optionsOf(command: Command, shell: Shell): ServeOptions {
  return { settings: typedSettings(command, shell.settingFlags), json: wantsJson(command) };
}

export function addConfigCommands(group: Command, shell: Shell): void {
  addSettingFlags(group.command('check'), shell.settingFlags)
    .description('check whether the settings are valid, without opening the store')
    .action(async (_options: unknown, command: Command) => {
      await shell.checkSettings(typedSettings(command, shell.settingFlags));
      await print({ json: { value: { valid: true } }, text: () => 'The settings are valid.\n' }, command, shell);
    });

  addSettingFlags(group.command('print'), shell.settingFlags)
    .description('print every setting with its value and source')
    .action(async (_options: unknown, command: Command) => {
      const settings = shell.effectiveSettings(typedSettings(command, shell.settingFlags));
      const text = (width: number): Promise<string> => table(settings, ['name', 'value', 'source'], width);
      await print({ json: { items: settings }, text }, command, shell);
    });
}

export function addTextCommands(group: Command, shell: Shell): void {
  addSettingFlags(group.command('print'), shell.settingFlags)
    .description('print every text for buyers as JSON, in the form of SITE_TEXTS_FILE')
    .action(async (_options: unknown, command: Command) => {
      const texts = shell.siteTexts(typedSettings(command, shell.settingFlags));
      const json = JSON.stringify(texts, null, wantsJson(command) ? 0 : 2);
      await printPieces([`${shownJson(json)}\n`], shell);
    });
}
