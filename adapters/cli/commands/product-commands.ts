import type { Command } from 'commander';
import { administer } from '../run/run-command.ts';
import { displayName, identifier } from '../input/arguments.ts';
import { changeCommand } from '../run/change-command.ts';
import type { Shell } from '../shell/shell.ts';
import { details, table } from '../output/table.ts';

interface AddOptions {
  readonly id: string;
  readonly name: string;
}

const members = ['id', 'name', 'createdAt'] as const;

export function addProductCommands(program: Command, shell: Shell): void {
  const group = program.command('product').description('products: what app keys and entitlements belong to');

  const add = group
    .command('add')
    .description('add a product, and create the store if there is none')
    .requiredOption('--id <id>', 'of the product', identifier('--id'))
    .requiredOption('--name <name>', 'for people', displayName('--name'));
  changeCommand<AddOptions>(add, shell, {
    subject: null,
    create: true,
    request:
      (_subject, { id, name }, call) =>
      async (store) => {
        const product = await store.addProduct(id, name, call);
        return {
          json: { value: product },
          text: () => details(product, members),
          change: { command: 'product add', productId: id },
        };
      },
  });

  group
    .command('list')
    .description('list all products')
    .action((_options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) => {
        const products = await store.listProducts(call);
        return { json: { items: products }, text: (width) => table(products, members, width), change: null };
      });
    });
}
