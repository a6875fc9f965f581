import type { Command } from 'commander';
import { identifierRule } from '../../../core/identifier.ts';
import type { SigningKeyView } from '../../../core/receipt/signing-key.ts';
import { valueOption } from '../input/options.ts';
import type { Output } from '../output/output.ts';
import { details, table } from '../output/table.ts';
import { changeCommand } from '../run/change-command.ts';
import { runCommand } from '../run/run-command.ts';
import type { Shell } from '../shell/shell.ts';

const columns = ['kid', 'state', 'alg', 'createdAt', 'activeAt', 'retiredAt', 'revokedAt', 'goodUntil'] as const;

export function addSigningKeyCommands(group: Command, shell: Shell): void {
  group
    .command('list')
    .description('list the keys that sign receipts, the active one first')
    .action(async (_options: object, command: Command) => {
      const call = shell.newCall();
      await runCommand(shell, command, call, async (store) => keysResult(await store.listSigningKeys(call)));
    });

  group
    .command('rotate')
    .description('let the next key sign from now on; apps must have been shipped with it')
    .addOption(valueOption('--from <kid>', 'the key that signs now, so that a repeat changes nothing', identifierRule))
    .action(async ({ from = null }: { readonly from?: string | null }, command: Command) => {
      const call = shell.newCall();
      await runCommand(shell, command, call, async (store) =>
        keysResult((await store.rotateSigningKeys(from, call)).keys),
      );
    });

  changeCommand(
    group.command('revoke').description('stop publishing a key; apps that have it trust it until they are updated'),
    shell,
    {
      subject: { member: 'kid', argument: '<kid>', description: 'the id of the key', rule: identifierRule },
      request: (kid, _options, call) => async (store) => {
        const { key } = await store.revokeSigningKey(kid, call);
        return { json: { value: key }, text: () => details(key, columns) };
      },
    },
  );

  group
    .command('export')
    .description('print the public keys to be compiled into apps, as a JWK Set')
    .action(async (_options: object, command: Command) => {
      const call = shell.newCall();
      await runCommand(shell, command, call, async (store) => {
        const keys = await store.exportSigningKeys(call);
        return { json: { value: keys }, text: () => `${JSON.stringify(keys, null, 2)}\n` };
      });
    });
}

/** All keys, and since when apps can know the one that signs next. */
function keysResult(keys: readonly SigningKeyView[]): Output {
  const next = keys.find(({ state }) => state === 'next');
  const note =
    next === undefined
      ? ''
      : `\nThe next key is published since ${next.createdAt.toISOString()}. Ship it in your apps before you rotate.\n`;
  return { json: { items: keys }, text: async (width) => (await table(keys, columns, width)) + note };
}
