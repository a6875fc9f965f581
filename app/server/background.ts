import { randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { ownReceivers } from '../../core/administration/use-cases/own-receivers.ts';
import { recountAllStorefronts } from '../../core/affiliate/recount-storefronts.ts';
import { makeLicenseSecret } from '../../core/billing/derive-license-key.ts';
import { billing } from '../../core/billing/outgoing-stream.ts';
import type { Call, MonotonicClock } from '../../core/call.ts';
import type { Doubt } from '../../core/clock/clock-state.ts';
import { ClockWatch, type ClockReport } from '../../core/clock/clock-watch.ts';
import { hour } from '../../core/parsing/duration.ts';
import { parkOld } from '../../core/receiver/park-old.ts';
import type { BackgroundTask } from '../../core/store/store.port.ts';
import { portsIn } from '../service/container.ts';
import { mailLoader, type MailSettings } from '../service/mail.ts';
import { newCall } from '../service/process.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { createDeliveries, createMailDeliveries, createStripeDeliveries } from './deliveries.ts';
import { RepeatedTask } from './repeated-task.ts';
import { noKeys, type ServerParts } from './server.ts';
import type { StripeSettings } from './stripe-service.ts';
import { warnWithoutKey } from './stripe/without-key.ts';

/** Milliseconds between two looks for changes by the clock. Their events are stored within three seconds. */
const sweepPause = 1000;

/** Milliseconds between two removals of events beyond their retention. */
const pruneInterval = hour;

/** Milliseconds between two looks at the clocks. */
const clockPause = 1000;

/** Milliseconds between two counts of all storefronts. */
const recountPause = hour / 6;

/** Milliseconds between two attempts at the work of a server's start, such as making the signing keys. */
const startPause = 10_000;

/** The time that deliveries in progress may take when the process stops, in milliseconds. Others deliver what is cut off. */
const deliveryTimeout = 2000;

type BackgroundSettings = Pick<
  Settings,
  'storeDeadline' | 'eventRetention' | 'acceptClock' | 'receipts' | 'webhooks' | 'webhookAllowNetworks'
> &
  MailSettings &
  StripeSettings;

interface BackgroundParts extends Pick<ServerParts, 'container' | 'store' | 'clock' | 'log'> {
  /** The absolute URL of the service, with which the links in mails begin. */
  readonly baseUrl: () => string;
}

/**
 * Starts the background work of a serving process. While its clock is in doubt, the process stores no events of the
 * clock, delivers none, removes none and signs no receipts. Returns a function that ends the work.
 */
export function startBackground(
  parts: BackgroundParts,
  settings: BackgroundSettings,
  monotonicClock: MonotonicClock = () => performance.now(),
  watch = createClockWatch(parts, settings, monotonicClock),
): () => Promise<void> {
  const { container, store, clock, log } = parts;
  const { storeDeadline, eventRetention } = settings;
  const begin = (): Call => newCall(clock(), storeDeadline, 'clock');
  const deliveries = createDeliveries(parts, settings, monotonicClock, () => !watch.isTrusted);
  const clocks = { monotonicClock, isPaused: () => !watch.isTrusted };
  const toStripe = createStripeDeliveries(parts, settings, clocks);
  const mail = { load: mailLoader(settings, parts.baseUrl), baseUrl: parts.baseUrl };
  const mails = createMailDeliveries(parts, settings, mail, clocks);
  const recordClockEvents = container.get(tokens.recordClockEvents);
  const pruneEvents = container.get(tokens.pruneEvents);
  let prunedAt = -Infinity;
  const prune = async (isStopped: () => boolean): Promise<void> => {
    const startedAt = monotonicClock();
    if (startedAt - prunedAt < pruneInterval || !watch.mayRemove) return;
    const removed = await pruneEvents(eventRetention, begin, () => isStopped() || !watch.mayRemove);
    prunedAt = startedAt;
    if (removed > 0) log.info({ events: removed }, 'removed events beyond their retention');
  };
  const sweep = async (isStopped: () => boolean): Promise<void> => {
    await recordClockEvents(begin, () => isStopped() || !watch.isTrusted);
  };
  let hasLicenseSecret = settings.stripeApiKey === null;
  const makeSecret = async (): Promise<void> => {
    if (!hasLicenseSecret) await makeLicenseSecret(portsIn(container).licenseSecrets, randomBytes)(begin());
    hasLicenseSecret = true;
  };
  let hasKeys = settings.receipts === 'off';
  const makeKeys = async (): Promise<void> => {
    if (!hasKeys) await container.get(tokens.makeSigningKeys)(begin());
    hasKeys = true;
  };
  const recount = recountAllStorefronts(portsIn(container));
  const warn = warnWithoutKey(log, portsIn(container).priceMap, settings);
  const tasks: readonly (readonly [string, BackgroundTask])[] = [
    ['the clock could not be compared with the store', new RepeatedTask(() => watch.look(), clockPause)],
    ['the events of the clock could not be stored', new RepeatedTask(sweep, sweepPause)],
    ['events beyond their retention could not be removed', new RepeatedTask(prune, clockPause)],
    ['the secret of license keys could not be made', new RepeatedTask(makeSecret, startPause)],
    [noKeys, new RepeatedTask(makeKeys, startPause)],
    [
      'the storefronts of listings could not be counted',
      new RepeatedTask((isStopped) => recount(begin, isStopped), recountPause),
    ],
    ['the prices of Stripe could not be read', new RepeatedTask(() => warn(begin), startPause)],
    ...store.background.map((task) => ['the store could not do its work in the background', task] as const),
  ];
  deliveries?.start();
  toStripe?.start();
  mails?.start();
  for (const [message, task] of tasks) task.start((err) => log.error({ err }, message));
  return async () => {
    await Promise.all([
      deliveries?.stop(deliveryTimeout),
      toStripe?.stop(deliveryTimeout),
      mails?.stop(deliveryTimeout),
      ...tasks.map(([, task]) => task.stop()),
    ]);
  };
}

/** Makes the watch of the clock, which every use case of the container asks from then on. */
export function createClockWatch(
  { container, clock, log }: Pick<ServerParts, 'container' | 'clock' | 'log'>,
  { storeDeadline, acceptClock }: BackgroundSettings,
  monotonicClock: MonotonicClock = () => performance.now(),
): ClockWatch {
  const begin = (): Call => newCall(clock(), storeDeadline, 'clock');
  const park = parkOld(ownReceivers, portsIn(container));
  const watch = new ClockWatch({
    marks: container.get(tokens.clockMarks),
    clock,
    monotonicClock,
    newCall: begin,
    isVouchedFor: acceptClock === 'on',
    report: (report) => logReport(log, report),
    onReturn: async (served) => {
      for (const { receiver, entitlements } of await park(served, begin)) {
        if (entitlements === 0) continue;
        if (receiver === billing) log.error({ subscriptions: entitlements, servedAt: served.at }, notSent);
        else log.error({ entitlements, servedAt: served.at }, notMailed);
      }
    },
  });
  container.get(tokens.clockTrust).askOf(() => watch.isTrusted);
  return watch;
}

/** Looks at the clock before a server listens, so that its first receipts are not refused. A failure is met again later. */
export async function firstLook(watch: ClockWatch): Promise<void> {
  await watch.look().catch(() => undefined);
}

function logReport(log: ServerParts['log'], report: ClockReport): void {
  switch (report.kind) {
    case 'doubted':
      log.error({ seconds: Math.round(report.doubt.by / 1000) }, doubts[report.doubt.reason]);
      return;
    case 'trusted again':
      log.warn('the clock is trusted: events are stored, delivered and removed, and receipts are signed again');
      return;
    case 'behind':
      log.error({ seconds: Math.round(report.by / 1000) }, behind);
  }
}

const notSent =
  'the store is a restored backup, or was last served long ago as one is: changes from before are not sent to Stripe; run stripe reconcile --fix';

const notMailed =
  'the store is a restored backup, or was last served long ago as one is: mails from before are not sent; run mail retry to send them now, or mail skip to leave them out';

const whatToDo = 'correct the clock of this machine, or restart with --accept-clock on if it is right';

const held = 'no events of the clock are stored, no events are delivered or removed, and no receipts are signed, until';

const doubts: Readonly<Record<Doubt['reason'], string>> = {
  'ahead of the mark': `the clock is far ahead of the time at which the store was last served: ${held} it has been steady for 15 minutes; ${whatToDo}`,
  'ahead of the server': `the clock is ahead of that of the store's server: ${held} they agree; ${whatToDo}`,
  jumped: `the clock has jumped ahead: ${held} it has been steady for 15 minutes; ${whatToDo}`,
};

const behind = `the clock is behind the time at which the store was last served: the ends of periods get their events late; ${whatToDo}`;
