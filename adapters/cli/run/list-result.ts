import { table } from '../output/table.ts';
import type { CommandResult } from './run-command.ts';

/** The result of a command that lists items and changes nothing, in text as a table of these members. */
export function listResult<Item extends object>(
  items: readonly Item[],
  members: readonly (keyof Item & string)[],
  flexible: readonly (keyof Item & string)[] = [],
): CommandResult {
  return { json: { items }, text: (width) => table(items, members, width, flexible), logged: null };
}
