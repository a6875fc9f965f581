import type { Command } from 'commander';
import { priceCommands } from '../../../administration/commands/price-commands.ts';
import type { Shell } from '../../shell/shell.ts';
import { addCommandGroup, sortCommands } from '../command-group.ts';
import { addReconcileCommands } from './reconcile-commands.ts';

export function addStripeCommands(group: Command, shell: Shell): void {
  const map = group.command('map').description('map the prices of Stripe to the tiers that they sell');
  addCommandGroup(priceCommands, map, shell);
  sortCommands(map, 'add list remove');
  addReconcileCommands(group, shell);
}
