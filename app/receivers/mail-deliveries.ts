import { digest } from '../../adapters/crypto/node-secrets.ts';
import type { DeliveryParts } from '../../adapters/delivery/delivery-parts.ts';
import { mailReports } from '../../adapters/metrics/reports.ts';
import { isSoldByStripe } from '../../core/billing/sold-by-stripe.ts';
import { readCurrentKey } from '../../core/mail/current-key.ts';
import type { LoadMail } from '../../core/mail/mail.ts';
import { mailing } from '../../core/mail/mailing.ts';
import { findReplaced } from '../../core/mail/replaced-key.ts';
import { sendEventMail, type MailReport } from '../../core/mail/send-event-mail.ts';
import { portsIn } from '../service/container.ts';
import { newCall } from '../service/process.ts';
import type { Settings } from '../settings/settings.ts';
import { loadBuyersMail } from './buyers-mail.ts';
import { startReceiver, type ReceiverMessages, type ReceiverParts } from './receiver-deliveries.ts';

/** Milliseconds for the look-ups of a mail. */
const lookTime = 5000;

/** Mails of a product that wait for slow answers at the same time: one buyer's mailbox must not hold up the next one's. */
const maxSlow = 500;

const messages: ReceiverMessages = {
  couldNotBegin: 'the mails to buyers could not begin; it is tried again',
  parked: 'a mail was not sent, and is not tried again: run mail retry, or mail skip to leave it out',
  down: 'mails are not sent; they are tried again later',
  lost: 'an event is no longer in the log: its mail is not sent',
  fault: 'the mails to buyers are interrupted; they go on when the store answers',
};

/**
 * Starts the mails that follow from sales. Returns the function that ends them. Throws `StripeNotInstalled` and what says that
 * mail cannot be sent.
 */
export async function startMailDeliveries(
  parts: ReceiverParts,
  settings: Pick<Settings, 'storeDeadline' | 'stripeApiKey' | 'stripeApiBase'>,
  loadMail: LoadMail,
  clocks: Pick<DeliveryParts, 'monotonicClock' | 'isPaused'>,
  stopping: AbortSignal,
): Promise<(timeout: number) => Promise<void>> {
  const { container, clock, log } = parts;
  const ports = portsIn(container);
  const { addresses, deriveKey, writer, sender, host } = await loadBuyersMail(parts, settings, loadMail);
  const send = sendEventMail({
    entitlements: ports.allEntitlements,
    products: ports.products,
    isSold: isSoldByStripe(ports.priceMap),
    readKey: readCurrentKey(deriveKey, digest),
    findReplaced: findReplaced(ports.events, deriveKey),
    addresses,
    cases: ports.stripeCases,
    writer,
    sender,
    host,
    newCall: (correlationId) => ({ ...newCall(clock(), lookTime, 'clock'), correlationId }),
    report: (report, correlationId) => logMail(log, report, correlationId),
  });
  const worker = await startReceiver(
    {
      ...parts,
      ...clocks,
      receiver: mailing,
      maxSlow,
      settings,
      send,
      messages,
    },
    stopping,
  );
  return async (timeout) => worker?.stop(timeout);
}

/** Counts each mail, and logs those that no attempt follows. */
function logMail(log: ReceiverParts['log'], report: MailReport, correlationId: string): void {
  const { kind, outcome, entitlementId, eventId, code } = report;
  const facts = { kind, entitlementId, eventId, correlationId };
  mailReports.send({ kind, outcome });
  switch (outcome) {
    case 'sent':
    case 'failed':
    case 'unconfirmed':
      return;
    case 'refused':
      log.error({ ...facts, code }, 'a mail is refused: its mailbox is unknown');
      return;
    case 'no_address':
      log.error(facts, 'a mail is not sent: Stripe has no address of the buyer');
  }
}
