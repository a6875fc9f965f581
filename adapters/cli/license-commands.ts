import type { Command } from 'commander';
import { administer } from './administer.ts';
import { identifier, standardInput } from './arguments.ts';
import { changedOutcome, changeOf, shownOutcome } from './entitlement-outcomes.ts';
import type { Shell } from './shell.ts';
import { keyOnStandardInput } from './standard-input.ts';

const idOf = identifier('The id of the entitlement');

export function addLicenseCommands(program: Command, shell: Shell): void {
  const group = program.command('license').description("licenses: the buyers' keys to their entitlements");

  group
    .command('rotate')
    .description('give an entitlement a new license key, which is shown this once; the old one ends')
    .argument('<entitlement>', 'its id', idOf)
    .action((id: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) => {
        const { licenseKey, ...answer } = await store.rotateLicense(id, call);
        return {
          json: { value: { licenseKey } },
          text: () => `License key, shown only this once: ${licenseKey}\n`,
          change: changeOf('license rotate', answer),
        };
      });
    });

  group
    .command('revoke')
    .description('end the license key of an entitlement, which stays as it is')
    .argument('<entitlement>', 'its id', idOf)
    .action((id: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) =>
        changedOutcome('license revoke', await store.revokeLicense(id, call)),
      );
    });

  group
    .command('find')
    .description('show the entitlement of a license key, also of one that is revoked')
    .argument('<->', 'the key is read from standard input', standardInput('The argument of license find'))
    .action(async (_dash: '-', _options: object, command: Command) => {
      const key = await keyOnStandardInput(shell);
      const call = shell.newCall();
      await administer(shell, command, call, async (store) => shownOutcome(await store.findByLicenseKey(key, call)));
    });
}
