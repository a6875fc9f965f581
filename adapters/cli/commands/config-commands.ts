import type { Command } from 'commander';
import { addSettingFlags, typedSettings } from '../input/settings-flags.ts';
import { print } from '../output/output.ts';
import { table } from '../output/table.ts';
import type { Shell } from '../shell/shell.ts';

export function addConfigCommands(group: Command, shell: Shell): void {
  addSettingFlags(group.command('check'), shell.settingFlags)
    .description('check whether the settings are valid')
    .action(async (_options: unknown, command: Command) => {
      shell.effectiveSettings(typedSettings(command, shell.settingFlags));
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
