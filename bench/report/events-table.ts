import { deliveryAims, manyProducts, manyProductsAim } from '../comparisons/event-delivery.ts';
import { rateAim, type EventRate } from '../comparisons/event-rates.ts';
import { eventsAims, eventsNames, idleAim, type EventCosts, type EventsResults } from '../comparisons/events.ts';
import type { Round } from '../comparisons/rounds.ts';
import { medianOf, spreadOf } from '../comparisons/spread.ts';
import { cpu, roundsOf, table } from './table.ts';

/** The tables of what requests cost before and with events, and of what goes on beside them. */
export function eventsTables({ stores }: EventsResults): string {
  return [operationsTable(stores), '', besideTable(stores)].join('\n');
}

function operationsTable(stores: readonly EventCosts[]): string {
  const rows = stores.flatMap(({ store, operations }) =>
    operations.map(({ operation, contenders }) => {
      const [before, now] = [roundsOf(contenders, eventsNames.before), roundsOf(contenders, eventsNames.now)];
      const aim = eventsAims.get(operation) ?? null;
      return [
        `${operation} on ${store}`,
        cpu(before),
        cpu(now),
        ratio(before, now, 'cpu'),
        aim === null ? '' : `≤ ${aim}`,
        ...(store === 'SQLite' ? ['', ''] : [`${mongod(before)}, ${mongod(now)}`, ratio(before, now, 'storeCpu')]),
      ];
    }),
  );
  return table(['operation', 'before', 'with events', 'times', 'aim', 'mongod before, with', 'times'], rows);
}

function mongod(rounds: readonly Round[]): string {
  return medianOf(rounds, 'storeCpu').toFixed(0);
}

/** The median of the ratios of the rounds. */
function ratio(before: readonly Round[], now: readonly Round[], figure: 'cpu' | 'storeCpu'): string {
  return spreadOf(now.map((round, index) => round[figure] / (before[index]?.[figure] ?? Number.NaN))).median.toFixed(2);
}

function besideTable(stores: readonly EventCosts[]): string {
  const rows = stores.flatMap(({ store, idle, deliveries, ofManyProducts, rates }) => [
    rateRow(`sweep on ${store}`, rates.sweep),
    ...(rates.relay === null ? [] : [rateRow(`relay on ${store}`, rates.relay)]),
    [`idle service on ${store}`, `${(idle.now - idle.before).toFixed(2)} % of a core more`, `≤ ${idleAim} %`, '', ''],
    [
      `request to webhook on ${store}`,
      `${spreadOf(deliveries).median.toFixed(0)} ms`,
      `≤ ${deliveryAims[store]} ms`,
      '',
      '',
    ],
    [
      `request to webhook of ${manyProducts} products on ${store}`,
      `${spreadOf(ofManyProducts.deliveries).median.toFixed(0)} ms, added in ${ofManyProducts.added.toFixed(0)} ms`,
      `≤ ${manyProductsAim} ms`,
      '',
      '',
    ],
  ]);
  return table(['beside requests', 'figure', 'aim', 'CPU for an event', 'mongod for an event'], rows);
}

function rateRow(name: string, { perSecond, cpu: own, storeCpu }: EventRate): readonly string[] {
  const server = storeCpu === 0 ? '' : storeCpu.toFixed(0);
  return [name, `${perSecond.toFixed(0)} events/s`, `≥ ${rateAim}`, own.toFixed(0), server];
}
