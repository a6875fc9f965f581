import { linesOf, type CommandGroup } from './command.ts';
import { appKeyCommands, operatorCommands } from './key-commands.ts';
import { webhookCommands } from './webhook-commands.ts';

/** Every group of declared commands. */
export const declaredGroups: readonly CommandGroup[] = [appKeyCommands, operatorCommands, webhookCommands];

/** The log lines of all of them. */
export const declaredLines = Object.assign({}, ...declaredGroups.map(linesOf)) as ReturnType<typeof linesOf>;
