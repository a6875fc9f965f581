import { setTimeout as wait } from 'node:timers/promises';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import type { DeliveryParts, DeliveryReport } from '../../adapters/delivery/delivery-parts.ts';
import { DeliveryWorker } from '../../adapters/delivery/delivery-worker.ts';
import { holderName } from '../../adapters/delivery/holders.ts';
import type { Call, Clock } from '../../core/call.ts';
import { beginReceiver, onlyEndpoint, type OwnReceiver } from '../../core/receiver/own-receiver.ts';
import { portsIn } from '../service/container.ts';
import { newCall } from '../service/process.ts';
import type { Settings } from '../settings/settings.ts';

/** Milliseconds before a beginning that has failed is repeated. */
const beginPause = 1000;

/** The parts by which a process sends to receivers. */
export interface ReceiverParts {
  readonly container: Container;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ReceiverDeliveries
  extends ReceiverParts, Pick<DeliveryParts, 'send' | 'onStored' | 'monotonicClock' | 'isPaused' | 'maxSlow'> {
  readonly receiver: OwnReceiver;
  readonly settings: Pick<Settings, 'storeDeadline'>;
  readonly messages: ReceiverMessages;
}

/** The lines of the log about a receiver. */
export interface ReceiverMessages {
  readonly couldNotBegin: string;
  /** All attempts have failed. */
  readonly parked: string;
  readonly down: string;
  /** An event is no longer in the log. */
  readonly lost: string;
  /** The store does not answer. */
  readonly fault: string;
}

/**
 * Starts the deliveries to a receiver of the service: what has failed is tried again by its schedule, and parked after the
 * last attempt. Null if the process is stopped before they have begun.
 */
export async function startReceiver(parts: ReceiverDeliveries, stopping: AbortSignal): Promise<DeliveryWorker | null> {
  const { container, clock, log, receiver, settings, messages, ...own } = parts;
  const ports = portsIn(container);
  const { endpoint } = receiver;
  const begin = (): Call => newCall(clock(), settings.storeDeadline, 'clock');
  const worker = new DeliveryWorker({
    ...own,
    endpoints: onlyEndpoint(endpoint),
    streams: ports.deliveryStreams,
    events: ports.events,
    products: ports.products,
    whenDown: 'schedule',
    maxAge: receiver.maxAge,
    sendsState: receiver.sendsState,
    // Never asked for: what has failed for the last time is parked.
    disableWebhook: async () => ({ endpoint, changed: false }),
    clock,
    random: Math.random,
    newCall: begin,
    report: (each) => logReport(log, each, messages),
    holder: holderName(newCorrelationId()),
  });
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    try {
      await beginReceiver(receiver, ports, begin);
      break;
    } catch (err) {
      if (isFirst) log.error({ err }, messages.couldNotBegin);
      await wait(beginPause, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    }
  }
  if (stopping.aborted) return null;
  worker.start();
  return worker;
}

/** Logs the reports that an operator can act on. Deliveries are counted where they are sent. */
function logReport(log: Logger, report: DeliveryReport, messages: ReceiverMessages): void {
  switch (report.kind) {
    case 'sent':
    case 'disabled':
      return;
    case 'parked': {
      const { entitlementId, answer } = report;
      log.error({ entitlementId, answer }, messages.parked);
      return;
    }
    case 'down':
      log.error({ answer: report.answer }, messages.down);
      return;
    case 'lost': {
      const { productId, position } = report;
      log.error({ productId, position }, messages.lost);
      return;
    }
    case 'fault':
      log.warn({ err: report.error }, messages.fault);
  }
}
