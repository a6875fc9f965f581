import type { Command } from 'commander';
import { identifierRule } from '../../../../core/identifier.ts';
import { displayNameRule } from '../../../../core/parsing/value-rule.ts';
import { requiredOption } from '../../input/options.ts';
import { details } from '../../output/table.ts';
import { changeCommand } from '../../run/change-command.ts';
import { listResult, runCommand } from '../../run/run-command.ts';
import type { Shell } from '../../shell/shell.ts';
import { addReconcileCommands } from './reconcile-commands.ts';

interface MapOptions {
  readonly price: string;
  readonly product: string;
  readonly tier: string;
  readonly tierName: string;
}

const members = ['price', 'productId', 'tierId', 'tierName'] as const;

export function addStripeCommands(group: Command, shell: Shell): void {
  const map = group.command('map').description('map the prices of Stripe to the tiers that they sell');
  addMapAdd(map, shell);
  map
    .command('list')
    .description('list the prices that are mapped')
    .action((_options: object, command: Command) =>
      runCommand(shell, command, shell.newCall(), async (store) =>
        listResult(await Array.fromAsync(store.everyPrice(shell.newCall)), members),
      ),
    );
  addMapRemove(map, shell);
  addReconcileCommands(group, shell);
}

function addMapAdd(map: Command, shell: Shell): void {
  const add = map
    .command('add')
    .description('map a price to the tier that it sells; replaces an earlier mapping')
    .addOption(requiredOption('--price <id>', 'the id of the price at Stripe', identifierRule))
    .addOption(requiredOption('--product <id>', 'the product', identifierRule))
    .addOption(requiredOption('--tier <id>', 'the tier', identifierRule))
    .addOption(requiredOption('--tier-name <name>', 'the name of the tier, for people', displayNameRule));
  changeCommand<MapOptions>(add, shell, {
    subject: null,
    request:
      (_subject, { price, product: productId, tier: tierId, tierName }, call) =>
      async (store) => {
        const { mapping } = await store.mapPrice({ price, productId, tierId, tierName }, call);
        return { json: { value: mapping }, text: () => details(mapping, members) };
      },
  });
}

function addMapRemove(map: Command, shell: Shell): void {
  const remove = map
    .command('remove')
    .description('remove the mapping of a price; what it has granted stays')
    .addOption(requiredOption('--price <id>', 'the id of the price at Stripe', identifierRule));
  changeCommand<Pick<MapOptions, 'price'>>(remove, shell, {
    subject: null,
    request:
      (_subject, { price }, call) =>
      async (store) => {
        const removed = await store.unmapPrice(price, call);
        return {
          json: { value: { removed } },
          text: () => (removed ? 'Removed.\n' : 'The price was not mapped.\n'),
        };
      },
  });
}
