import type { Call } from '../../core/call.ts';
import type { BackgroundTask } from '../../core/store/background-task.ts';
import { newCall } from '../service/new-call.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { createDeliveries } from './deliveries.ts';
import { RepeatedTask } from './repeated-task.ts';
import type { ServerParts } from './server.ts';

/** Milliseconds between two looks for what the clock has changed: its events are there within three seconds. */
const sweepPause = 1000;

/** Milliseconds between two looks for events beyond their retention. */
const prunePause = 3_600_000;

/** How long deliveries in progress may take when the process stops, in milliseconds. Others deliver what is cut off. */
const deliveryTimeout = 2000;

type BackgroundSettings = Pick<Settings, 'storeDeadline' | 'eventRetention' | 'webhooks' | 'webhookAllowNetworks'>;

/** Starts what a serving process does beside its requests. Returns a function that ends it. */
export function startBackground(parts: ServerParts, settings: BackgroundSettings): () => Promise<void> {
  const { container, store, clock, log } = parts;
  const { storeDeadline, eventRetention } = settings;
  const deliveries = createDeliveries(parts, settings);
  const begin = (): Call => newCall(clock(), storeDeadline, 'clock');
  const tellDue = container.get(tokens.tellDue);
  const pruneEvents = container.get(tokens.pruneEvents);
  const prune = async (isStopped: () => boolean): Promise<void> => {
    const removed = await pruneEvents(eventRetention, begin, isStopped);
    if (removed > 0) log.info({ events: removed }, 'removed events beyond their retention');
  };
  const tasks: readonly (readonly [string, BackgroundTask])[] = [
    [
      'the events of the clock could not be stored',
      new RepeatedTask((isStopped) => tellDue(begin, isStopped), sweepPause),
    ],
    ['events beyond their retention could not be removed', new RepeatedTask(prune, prunePause)],
    ...store.background.map((task) => ['the store could not do its work in the background', task] as const),
  ];
  deliveries?.start();
  for (const [message, task] of tasks) task.start((err) => log.error({ err }, message));
  return async () => {
    await Promise.all([deliveries?.stop(deliveryTimeout), ...tasks.map(([, task]) => task.stop())]);
  };
}
