import { digest } from '../../adapters/crypto/node-secrets.ts';
import { mailReports } from '../../adapters/metrics/reports.ts';
import { isSoldByStripe } from '../../core/billing/sold-by-stripe.ts';
import { createLink } from '../../core/buyer/manage-links.ts';
import { createSupportLink } from '../../core/buyer/support-link.ts';
import { keptPromise } from '../../core/kept-promise.ts';
import { readCurrentKey } from '../../core/mail/current-key.ts';
import { mailLostKeys, type MailLostKeys } from '../../core/mail/lost/mail-lost-keys.ts';
import { limitedPorts } from '../../core/tenant/limited-ports.ts';
import { portsIn } from '../service/container.ts';
import { mailLoader, type MailSettings } from '../service/mail.ts';
import { newCall } from '../service/process.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { askedParts, countedOutcomes } from './asked-parts.ts';
import { loadBuyersMail } from './buyers-mail.ts';
import { LostKeys, type LostEnd, type LostReport } from './lost-keys.ts';
import type { ReceiverParts } from './receiver-deliveries.ts';

/** Milliseconds for the look-ups of one attempt: about ten requests at Stripe for an address. */
const lookTime = 30_000;

/** Creates the sender of lost keys. Its libraries are loaded by the first request. */
export function createLostKeys(
  parts: ReceiverParts,
  settings: Pick<Settings, 'stripeApiKey' | 'stripeApiBase'> & MailSettings,
  baseUrl: () => string,
): LostKeys {
  const load = keptPromise(() => loadMailLostKeys(parts, settings, baseUrl));
  return new LostKeys({
    ...askedParts(),
    mail: async (request, call) => (await load())(request, call),
    newCall: ({ correlationId, desk }) => {
      const { by, products } = desk ?? { by: 'buyer' as const, products: null };
      return { ...newCall(parts.clock(), lookTime, by), products, correlationId };
    },
    report: (report, end) => passOn(parts.log, report, end),
  });
}

async function loadMailLostKeys(
  parts: Pick<ReceiverParts, 'container'>,
  settings: Pick<Settings, 'stripeApiKey' | 'stripeApiBase'> & MailSettings,
  baseUrl: () => string,
): Promise<MailLostKeys> {
  const { container } = parts;
  // A request by an operator who is limited to products is about these only.
  const ports = limitedPorts(portsIn(container));
  const newLink = createLink(ports.buyerLinks, container.get(tokens.platform).newSessionToken, digest);
  const { deriveKey, ...mail } = await loadBuyersMail(parts, settings, mailLoader(settings, baseUrl));
  return mailLostKeys({
    ...mail,
    entitlements: ports.allEntitlements,
    history: ports.entitlementHistory,
    products: ports.products,
    isSold: isSoldByStripe(ports.priceMap),
    readKey: readCurrentKey(deriveKey, digest),
    createLink: createSupportLink(newLink, ports.allEntitlements, baseUrl, true),
  });
}

/**
 * Counts each attempt. Logs those that mail nothing to somebody who has bought, and the mails that an operator has
 * asked for. Nothing that was typed is logged.
 */
function passOn(log: ReceiverParts['log'], report: LostReport, { correlationId, desk, isLast }: LostEnd): void {
  const kind = desk === null ? 'lost' : 'desk';
  mailReports.send({ kind, outcome: countedOutcomes[report.outcome] });
  const about = { ...(desk !== null && { entitlementId: desk.entitlementId, by: desk.by }), correlationId };
  switch (report.outcome) {
    case 'sent':
      // At every LOG_LEVEL, as changes are.
      if (desk !== null) log.child({}, { level: 'info' }).info(about, 'keys mailed');
      return;
    case 'unconfirmed':
      return;
    case 'unknown':
      if (desk !== null) log.error(about, 'keys are not mailed: Stripe finds no sale to the address of the buyer');
      return;
    case 'refused':
      log.error({ kind, code: report.code, ...about }, 'a mail is refused: its mailbox is unknown');
      return;
    case 'failed':
      if (isLast) log.error({ code: report.code, ...about }, notMailed);
      return;
    case 'fault':
      log.error({ err: report.error, ...about }, isLast ? notMailed : 'lost keys could not be looked up');
  }
}

const notMailed = 'lost keys were asked for and not mailed: all attempts have failed';
