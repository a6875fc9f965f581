import type { Command } from 'commander';
import { administer } from '../run/run-command.ts';
import { standardInput } from '../input/arguments.ts';
import type { Subject } from '../run/change-request.ts';
import { changeCommand } from '../run/change-command.ts';
import { entitlementById } from './entitlement-commands.ts';
import { changedOutcome, changeOf, shownOutcome } from './entitlement-outcomes.ts';
import type { Shell } from '../shell/shell.ts';
import { keyOnStandardInput } from '../input/standard-input.ts';

const entitlement: Subject = { ...entitlementById, argument: '<entitlement>', description: 'its id' };

export function addLicenseCommands(program: Command, shell: Shell): void {
  const group = program.command('license').description("licenses: the buyers' keys to their entitlements");

  changeCommand(
    group
      .command('rotate')
      .description('give an entitlement a new license key, which is shown this once; the old one ends'),
    shell,
    {
      subject: entitlement,
      request: (id, _options, call) => async (store) => {
        const { licenseKey, ...answer } = await store.rotateLicense(id, call);
        return {
          json: { value: { licenseKey } },
          text: () => `License key, shown only this once: ${licenseKey}\n`,
          change: changeOf('license rotate', answer),
        };
      },
    },
  );

  changeCommand(
    group.command('revoke').description('end the license key of an entitlement, which stays as it is'),
    shell,
    {
      subject: entitlement,
      request: (id, _options, call) => async (store) =>
        changedOutcome('license revoke', await store.revokeLicense(id, call)),
    },
  );

  group
    .command('find')
    .description('show the entitlement of a license key, also of one that is revoked')
    .argument(
      '<->',
      'the key is read from standard input',
      standardInput('The argument of license find', ': the key is read from standard input'),
    )
    .action(async (_dash: '-', _options: object, command: Command) => {
      const key = await keyOnStandardInput(shell);
      const call = shell.newCall();
      await administer(shell, command, call, async (store) => shownOutcome(await store.findByLicenseKey(key, call)));
    });
}
