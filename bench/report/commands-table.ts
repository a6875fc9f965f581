import { commandAim, nodeAlone, serveAim, type CommandsResults } from '../comparisons/commands.ts';
import { spreadOf } from '../comparisons/spread.ts';
import { spread, table } from './table.ts';

/** The table of what commands cost, and of how long a server takes to start. */
export function commandsTable({ commands, serve }: CommandsResults): string {
  const base = spreadOf(commands.find(({ name }) => name === nodeAlone)?.cpu ?? []).median;
  return table(
    ['command', 'CPU', `times ${nodeAlone}`, 'first answer after', 'aim'],
    [
      ...commands.map(({ name, cpu }) => {
        const times = (spreadOf(cpu).median / base).toFixed(1);
        return name === nodeAlone
          ? [name, spread(cpu, ' ms'), '', '', '']
          : [name, spread(cpu, ' ms'), times, '', `≤ ${commandAim} times`];
      }),
      ['latchkey serve, 10,000 listings', spread(serve.cpu, ' ms'), '', spread(serve.time, ' ms'), `≤ ${serveAim} ms`],
    ],
  );
}
