import { digest } from '../../adapters/crypto/node-secrets.ts';
import type { DeliveryParts } from '../../adapters/delivery/delivery-parts.ts';
import { mailReports } from '../../adapters/metrics/reports.ts';
import { createAffiliateLink } from '../../core/affiliate/affiliate-links.ts';
import { mailStatement } from '../../core/affiliate/closing/mail-statement.ts';
import { isSoldByStripe } from '../../core/billing/sold-by-stripe.ts';
import { createLink } from '../../core/buyer/manage-links.ts';
import { readCurrentKey } from '../../core/mail/current-key.ts';
import type { LoadMail } from '../../core/mail/mail.ts';
import { mailing } from '../../core/mail/mailing.ts';
import { findReplaced } from '../../core/mail/replaced-key.ts';
import { sendEventMail, type MailReport } from '../../core/mail/send-event-mail.ts';
import { portsIn } from '../service/container.ts';
import { newCall } from '../service/process.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { loadBuyersMail } from './buyers-mail.ts';
import { startReceiver, type ReceiverMessages, type ReceiverParts } from './receiver-deliveries.ts';

/** Milliseconds for the look-ups of a mail. */
const lookTime = 5000;

/** Mails of a product that wait for slow answers at the same time: one buyer's mailbox must not hold up the next one's. */
const maxSlow = 500;

const messages: ReceiverMessages = {
  couldNotBegin: 'the mails that follow from events could not begin; it is tried again',
  parked: 'a mail was not sent, and is not tried again: run mail retry, or mail skip to leave it out',
  down: 'mails are not sent; they are tried again later',
  lost: 'an event is no longer in the log: its mail is not sent',
  fault: 'the mails that follow from events are interrupted; they go on when the store answers',
};

/**
 * Starts the mails that follow from events. Returns the function that ends them. Throws `StripeNotInstalled` and what says that
 * mail cannot be sent.
 */
export async function startMailDeliveries(
  parts: ReceiverParts,
  settings: Pick<Settings, 'storeDeadline' | 'stripeApiKey' | 'stripeApiBase'>,
  mail: { readonly load: LoadMail; readonly baseUrl: () => string },
  clocks: Pick<DeliveryParts, 'monotonicClock' | 'isPaused'>,
  stopping: AbortSignal,
): Promise<(timeout: number) => Promise<void>> {
  const { container, clock, log } = parts;
  const ports = portsIn(container);
  const { addresses, deriveKey, ...loaded } = await loadBuyersMail(parts, settings, mail.load);
  const newLink = createLink(ports.buyerLinks, container.get(tokens.platform).newSessionToken, digest);
  const shared = {
    ...loaded,
    products: ports.products,
    newCall: (correlationId: string) => ({ ...newCall(clock(), lookTime, 'clock'), correlationId }),
    report: (report: MailReport, correlationId: string) => logMail(log, report, correlationId),
  };
  const toAffiliate = mailStatement({
    ...shared,
    affiliates: ports.affiliates,
    createLink: createAffiliateLink(newLink, ports.affiliates, mail.baseUrl),
  });
  const toBuyer = sendEventMail({
    ...shared,
    entitlements: ports.allEntitlements,
    isSold: isSoldByStripe(ports.priceMap),
    readKey: readCurrentKey(deriveKey, digest),
    findReplaced: findReplaced(ports.events, deriveKey),
    addresses,
    cases: ports.stripeCases,
  });
  const worker = await startReceiver(
    {
      ...parts,
      ...clocks,
      receiver: mailing,
      maxSlow,
      settings,
      send: (delivery) => (delivery.message.type === 'statement.closed' ? toAffiliate : toBuyer)(delivery),
      messages,
    },
    stopping,
  );
  return async (timeout) => worker?.stop(timeout);
}

/** Counts each mail, and logs those that no attempt follows. */
function logMail(log: ReceiverParts['log'], report: MailReport, correlationId: string): void {
  const { outcome, code, ...about } = report;
  const facts = { ...about, correlationId };
  mailReports.send({ kind: report.kind, outcome });
  switch (outcome) {
    case 'sent':
    case 'failed':
    case 'unconfirmed':
      return;
    case 'refused':
      log.error({ ...facts, code }, 'a mail is refused: its mailbox is unknown');
      return;
    case 'no_address':
      log.error(
        facts,
        report.kind === 'statement'
          ? 'a statement is not mailed: its affiliate has no address'
          : 'a mail is not sent: Stripe has no address of the buyer',
      );
  }
}
