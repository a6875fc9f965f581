import type { Command } from 'commander';
import { identifierRule } from '../../../core/identifier.ts';
import { displayNameRule } from '../../../core/parsing/value-rule.ts';
import { requiredOption } from '../input/options.ts';
import { details } from '../output/table.ts';
import { changeCommand } from '../run/change-command.ts';
import { listResult, runCommand } from '../run/run-command.ts';
import type { Shell } from '../shell/shell.ts';

interface AddOptions {
  readonly id: string;
  readonly name: string;
}

const members = ['id', 'name', 'createdAt'] as const;

export function addProductCommands(group: Command, shell: Shell): void {
  const add = group
    .command('add')
    .description('add a product, and create the store if it does not exist')
    .addOption(requiredOption('--id <id>', 'the id of the product', identifierRule))
    .addOption(requiredOption('--name <name>', 'the name of the product, for people', displayNameRule));
  changeCommand<AddOptions>(add, shell, {
    subject: null,
    use: { create: true },
    request:
      (_subject, { id, name }, call) =>
      async (store) => {
        const product = await store.addProduct(id, name, call);
        return { json: { value: product }, text: () => details(product, members) };
      },
  });

  group
    .command('list')
    .description('list products')
    .action((_options: object, command: Command) =>
      runCommand(shell, command, shell.newCall(), async (store) =>
        listResult(await Array.fromAsync(store.everyProduct(shell.newCall)), members),
      ),
    );
}
