import { commandAim, nodeAlone, serveAim, type CommandsResults } from '../comparisons/commands.ts';
import { spreadOf } from '../comparisons/spread.ts';
import { table } from './report.ts';

/** The table of what commands cost, and of how long a server takes to start. */
export function commandsTable({ commands, serve }: CommandsResults): string {
  const base = spreadOf(commands.find(({ name }) => name === nodeAlone)?.cpu ?? []).median;
  return table(
    ['command', 'CPU', `times ${nodeAlone}`, 'first answer after', 'aim'],
    [
      ...commands.map(({ name, cpu }) => {
        const times = (spreadOf(cpu).median / base).toFixed(1);
        return name === nodeAlone
          ? [name, milliseconds(cpu), '', '', '']
          : [name, milliseconds(cpu), times, '', `≤ ${commandAim} times`];
      }),
      ['latchkey serve, 10,000 listings', milliseconds(serve.cpu), '', milliseconds(serve.time), `≤ ${serveAim} ms`],
    ],
  );
}

function milliseconds(figures: readonly number[]): string {
  const { median, min, max } = spreadOf(figures);
  return `${median.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
}
