import { appKeyCommands, operatorCommands } from './commands/key-commands.ts';
import { webhookCommands } from './commands/webhook-commands.ts';
import { linesOf, type CommandGroup } from './declaration/command.ts';

/** Every group of declared commands. */
export const declaredGroups: readonly CommandGroup[] = [appKeyCommands, operatorCommands, webhookCommands];

/** The log lines of all of them. */
export const declaredLines = Object.assign({}, ...declaredGroups.map(linesOf)) as ReturnType<typeof linesOf>;
