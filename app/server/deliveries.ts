import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import type { DeliveryParts, DeliveryReport } from '../../adapters/delivery/delivery-parts.ts';
import { DeliveryWorker } from '../../adapters/delivery/delivery-worker.ts';
import { holderName } from '../../adapters/delivery/holders.ts';
import type { WebhookSender } from '../../adapters/http/webhooks/webhook-sender.ts';
import { deliveryReports } from '../../adapters/metrics/reports.ts';
import type { MonotonicClock } from '../../core/call.ts';
import { keptPromise } from '../../core/kept-promise.ts';
import { disableWebhook } from '../../core/webhook/enable-webhook.ts';
import type { SendDelivery } from '../../core/webhook/send-delivery.ts';
import type { startMailDeliveries } from '../receivers/mail-deliveries.ts';
import { portsIn } from '../service/container.ts';
import { createSender } from '../service/platform.ts';
import { newCall } from '../service/process.ts';
import type { Settings } from '../settings/settings.ts';
import type { HttpPortParts } from './http-port.ts';
import { mailCases } from './mail-cases.ts';
import type { StripeSettings } from './stripe-service.ts';

/** The deliveries of a server to webhook endpoints. */
export interface Deliveries {
  start(): void;
  /** Lets the deliveries in progress end for at most `timeout` milliseconds, and leaves the rest to other processes. */
  stop(timeout: number): Promise<void>;
}

/** Creates the deliveries of a server; null if the setting keeps the process out of them. */
export function createDeliveries(
  { container, clock, log }: Pick<HttpPortParts, 'container' | 'clock' | 'log'>,
  settings: Pick<Settings, 'storeDeadline' | 'webhooks' | 'webhookAllowNetworks'>,
  monotonicClock: MonotonicClock = () => performance.now(),
  isPaused: () => boolean = () => false,
): Deliveries | null {
  if (settings.webhooks === 'off') return null;
  const { webhookEndpoints: endpoints, deliveryStreams: streams, events, products } = portsIn(container);
  const sender = new LazySender(settings.webhookAllowNetworks ?? []);
  const worker = new DeliveryWorker({
    endpoints,
    streams,
    events,
    products,
    disableWebhook: disableWebhook(endpoints),
    send: sender.send,
    isPaused,
    clock,
    monotonicClock,
    random: Math.random,
    newCall: () => newCall(clock(), settings.storeDeadline, 'clock'),
    report: (report) => passOn(log, report),
    holder: holderName(newCorrelationId()),
  });
  return {
    start: () => worker.start(),
    async stop(timeout) {
      await worker.stop(timeout);
      sender.close();
    },
  };
}

type ClocksOfDeliveries = Pick<DeliveryParts, 'monotonicClock' | 'isPaused'>;

/** Creates the deliveries of a server to Stripe; null without Stripe, or if the setting keeps the process out of them. */
export function createStripeDeliveries(
  parts: Pick<HttpPortParts, 'container' | 'clock' | 'log'>,
  settings: Pick<Settings, 'storeDeadline' | 'webhooks'> & StripeSettings,
  clocks: ClocksOfDeliveries,
): Deliveries | null {
  if (settings.stripeApiKey === null || settings.webhooks === 'off') return null;
  const start = async (stopping: AbortSignal): Promise<Deliveries['stop']> => {
    const { startStripeDeliveries } = await import('./stripe-deliveries.ts');
    return startStripeDeliveries(parts, settings, clocks, stopping);
  };
  return loadedDeliveries(start, (err) => parts.log.error({ err }, 'changes are not sent to Stripe'));
}

/** Creates the mails that follow from events; null without mail, or if the setting keeps the process out of deliveries. */
export function createMailDeliveries(
  parts: Pick<HttpPortParts, 'container' | 'clock' | 'log'>,
  settings: Pick<Settings, 'storeDeadline' | 'stripeApiKey' | 'stripeApiBase' | 'smtpUrl' | 'webhooks'>,
  mail: Parameters<typeof startMailDeliveries>[2],
  clocks: ClocksOfDeliveries,
): Deliveries | null {
  if (settings.smtpUrl === null || settings.webhooks === 'off') return null;
  const start = async (stopping: AbortSignal): Promise<Deliveries['stop']> => {
    const { startMailDeliveries } = await import('../receivers/mail-deliveries.ts');
    const stop = await startMailDeliveries(parts, settings, mail, clocks, stopping);
    if (stopping.aborted) return stop;
    const cases = mailCases(parts, settings);
    cases.start();
    return async (timeout) => {
      await Promise.all([stop(timeout), cases.stop()]);
    };
  };
  return loadedDeliveries(start, (err) => parts.log.error({ err }, 'buyers and affiliates get no mails'));
}

/** Deliveries whose code is loaded when they start. A failure to start them is logged, and everything else goes on. */
function loadedDeliveries(
  begin: (stopping: AbortSignal) => Promise<Deliveries['stop']>,
  onFailure: (error: unknown) => void,
): Deliveries {
  const stopping = new AbortController();
  let running: Promise<Deliveries['stop'] | null> = Promise.resolve(null);
  return {
    start() {
      running = begin(stopping.signal).catch((error: unknown) => {
        onFailure(error);
        return null;
      });
    },
    async stop(timeout) {
      stopping.abort();
      await (
        await running
      )?.(timeout);
    },
  };
}

/** A sender that is created for the first delivery: most servers begin without endpoints. */
class LazySender {
  readonly #load: () => Promise<WebhookSender>;
  #sender: WebhookSender | null = null;

  constructor(networks: readonly string[]) {
    this.#load = keptPromise(async () => (this.#sender = await createSender(networks)));
  }

  readonly send: SendDelivery = async (...delivery) => (await this.#load()).send(...delivery);

  close(): void {
    this.#sender?.close();
  }
}

/** Counts the requests, and logs the rest. */
function passOn(log: HttpPortParts['log'], report: DeliveryReport): void {
  if (report.kind === 'sent') {
    deliveryReports.send(report.outcome);
    return;
  }
  if (report.kind === 'fault') {
    log.warn({ err: report.error }, 'deliveries are interrupted; they go on when the store answers');
    return;
  }
  const { kind, ...facts } = report;
  const [level, message] = messages[kind];
  log[level](facts, message);
}

const messages: Readonly<
  Record<Exclude<DeliveryReport['kind'], 'sent' | 'fault'>, readonly ['warn' | 'error', string]>
> = {
  parked: ['warn', 'events are parked after the last attempt; send them with webhook retry'],
  down: ['warn', 'a webhook endpoint is down; it is tried again later'],
  disabled: ['warn', 'a webhook endpoint is disabled; its events are kept until webhook enable'],
  lost: ['error', 'an event is no longer in the log and cannot be delivered'],
};
