import { administrationAims, type AdministrationResults } from '../comparisons/administration.ts';
import { medianOf } from '../comparisons/spread.ts';
import { cpu, roundsOf, table } from './table.ts';

/** The table of what an operator's requests cost, each beside the operation that it is compared with. */
export function administrationTable({ contenders }: Pick<AdministrationResults, 'contenders'>): string {
  return table(
    ['operation', 'CPU', 'compared with', 'times', 'aim', 'answers/s', 'p99'],
    contenders.map(({ name, rounds }) => {
      const [other, aim] = administrationAims[name] ?? [];
      const compared = other === undefined ? null : medianOf(roundsOf(contenders, other), 'cpu');
      return [
        name,
        cpu(rounds),
        other ?? '',
        compared === null ? '' : (medianOf(rounds, 'cpu') / compared).toFixed(2),
        aim === undefined ? '' : `≤ ${aim}`,
        medianOf(rounds, 'requestsPerSecond').toFixed(0),
        `${medianOf(rounds, 'p99').toFixed(1)} ms`,
      ];
    }),
  );
}
