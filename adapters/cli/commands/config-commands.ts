import type { Command } from 'commander';
import type { CommonOptions } from '../run/run-command.ts';
import { print } from '../output/output.ts';
import { addSettingFlags, typedSettings } from '../input/settings-flags.ts';
import type { Shell } from '../shell/shell.ts';
import { table } from '../output/table.ts';

export function addConfigCommands(program: Command, shell: Shell): void {
  const config = program.command('config').description('settings: what serve and every command would use');

  addSettingFlags(config.command('check'), shell.settingFlags)
    .description('say whether the settings can be used')
    .action(async (_options: unknown, command: Command) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>();
      shell.effectiveSettings(typedSettings(command, shell.settingFlags));
      await print({ json: { value: { valid: true } }, text: () => 'The settings can be used.\n' }, json, shell);
    });

  addSettingFlags(config.command('print'), shell.settingFlags)
    .description('print every setting, its value and where it came from')
    .action(async (_options: unknown, command: Command) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>();
      const settings = shell.effectiveSettings(typedSettings(command, shell.settingFlags));
      const text = (width: number): string => table(settings, ['name', 'value', 'source'], width);
      await print({ json: { items: settings }, text }, json, shell);
    });
}
