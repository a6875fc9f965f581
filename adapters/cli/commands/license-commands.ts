import type { Command } from 'commander';
import { dashArgument } from '../input/options.ts';
import { keyOnStandardInput } from '../input/standard-input.ts';
import { changeCommand } from '../run/change-command.ts';
import { runCommand, type Subject } from '../run/run-command.ts';
import type { Shell } from '../shell/shell.ts';
import { entitlementById } from './entitlement-commands.ts';
import { shown, shownWhole } from './snapshot-result.ts';

const entitlement: Subject = {
  ...entitlementById,
  argument: '<entitlement>',
  description: 'the id of the entitlement',
};

export function addLicenseCommands(group: Command, shell: Shell): void {
  changeCommand(
    group.command('rotate').description('replace the license key of an entitlement; the new key is shown only once'),
    shell,
    {
      subject: entitlement,
      request: (id, _options, call) => async (store) => {
        const { licenseKey } = await store.rotateLicense(id, null, call);
        return {
          json: { value: { licenseKey } },
          text: () => `License key, shown only this once: ${licenseKey}\n`,
        };
      },
    },
  );

  changeCommand(
    group.command('revoke').description('revoke the license key of an entitlement, which stays as it is'),
    shell,
    {
      subject: entitlement,
      request: (id, _options, call) => async (store) => shown(await store.revokeLicense(id, call)),
    },
  );

  group
    .command('find')
    .description('show the entitlement of a license key, even if the key is revoked')
    .addArgument(
      dashArgument(
        '<->',
        'reads the key from standard input',
        'The argument of license find must be "-": the key is read from standard input.',
      ),
    )
    .action(async (_dash: '-', _options: object, command: Command) => {
      const key = await keyOnStandardInput(shell);
      const call = shell.newCall();
      await runCommand(shell, command, call, async (store) => shownWhole(await store.findByLicenseKey(key, call)));
    });
}
