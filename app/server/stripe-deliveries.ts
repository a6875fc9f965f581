import type { DeliveryParts } from '../../adapters/delivery/delivery-parts.ts';
import { LookQueue } from '../../adapters/stripe/outgoing/look-queue.ts';
import { readPendingChange } from '../../adapters/stripe/outgoing/pending-change.ts';
import { StripeSink } from '../../adapters/stripe/outgoing/stripe-sink.ts';
import { findUnconfirmed } from '../../core/affiliate/selling/find-unconfirmed.ts';
import { findMappedSales } from '../../core/billing/mapped-sales.ts';
import { billing } from '../../core/billing/outgoing-stream.ts';
import { recordParked } from '../../core/billing/parked-changes.ts';
import { isSoldByStripe } from '../../core/billing/sold-by-stripe.ts';
import type { Call } from '../../core/call.ts';
import { startReceiver, type ReceiverMessages } from '../receivers/receiver-deliveries.ts';
import { portsIn } from '../service/container.ts';
import { newCall } from '../service/process.ts';
import type { Settings } from '../settings/settings.ts';
import type { HttpPortParts } from './http-port.ts';
import { RepeatedTask } from './repeated-task.ts';
import { createStripeParts, type StripeSettings } from './stripe-service.ts';

/** Milliseconds of a delivery or a look: less than the worker's lease allows for a request. */
const callTime = 14_000;

/** Milliseconds between two searches: for changes that are parked, for sales whose price is mapped now, and for holds that have ended. */
const casesPause = 10_000;

const messages: ReceiverMessages = {
  couldNotBegin: 'the deliveries to Stripe could not begin; it is tried again',
  parked: 'a change was not sent to Stripe: run stripe reconcile --fix',
  down: 'Stripe takes no changes; it is tried again later',
  lost: 'a change is no longer in the log: run stripe reconcile --fix',
  fault: 'deliveries to Stripe are interrupted; they go on when the store answers',
};

/**
 * Starts the deliveries of changes to Stripe. Returns the function that ends them. Throws `StripeNotInstalled`.
 * A process that is stopped before they have begun does not begin them.
 */
export async function startStripeDeliveries(
  parts: Pick<HttpPortParts, 'container' | 'clock' | 'log'>,
  settings: Pick<Settings, 'storeDeadline'> & StripeSettings,
  { monotonicClock, isPaused }: Pick<DeliveryParts, 'monotonicClock' | 'isPaused'>,
  stopping: AbortSignal,
): Promise<(timeout: number) => Promise<void>> {
  const { container, clock, log } = parts;
  const ports = portsIn(container);
  const begin = (): Call => newCall(clock(), settings.storeDeadline, 'clock');
  const { stripe, look, report, administration } = await createStripeParts(parts, settings);
  const looks = new LookQueue(look, () => newCall(clock(), callTime, 'stripe'));
  const sink = new StripeSink({
    stripe,
    find: administration.findEntitlement,
    readPending: readPendingChange(ports),
    newCall: (correlationId) => ({ ...newCall(clock(), callTime, 'stripe'), correlationId }),
    report,
    cases: ports.stripeCases,
    isSold: isSoldByStripe(ports.priceMap),
  });
  const worker = await startReceiver(
    {
      ...parts,
      receiver: billing,
      settings,
      send: sink.send,
      onStored: (id) => {
        if (sink.takeLook(id)) looks.add(id);
      },
      monotonicClock,
      isPaused,
      messages,
    },
    stopping,
  );
  if (worker === null) return async () => undefined;
  const parkedOnes = recordParked(ports);
  const mappedOnes = findMappedSales(ports);
  const cases = new RepeatedTask(async (isStopped) => {
    await parkedOnes(begin, isStopped);
    for (const id of await mappedOnes(begin, isStopped)) looks.add(id);
  }, casesPause);
  cases.start((err) => log.error({ err }, 'the sales that need a person could not be found; it is tried again'));
  const unconfirmed = findUnconfirmed(ports.sales);
  const sales = new RepeatedTask(async () => {
    // A clock that is ahead would end holds too early.
    if (!isPaused()) for (const id of await unconfirmed(begin)) looks.add(id);
  }, casesPause);
  sales.start((err) =>
    log.error({ err }, 'the sales that a look has to confirm could not be found; it is tried again'),
  );
  return async (timeout) => {
    await Promise.all([worker.stop(timeout), cases.stop(), sales.stop()]);
    await looks.stop();
  };
}
