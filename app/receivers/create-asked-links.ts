import { digest, randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { mailReports } from '../../adapters/metrics/reports.ts';
import { createAffiliateLink } from '../../core/affiliate/affiliate-links.ts';
import { mailAffiliateLink } from '../../core/affiliate/mail-affiliate.ts';
import { createLink } from '../../core/buyer/manage-links.ts';
import { portsIn } from '../service/container.ts';
import { mailLoader, type MailSettings } from '../service/mail.ts';
import { newCall } from '../service/process.ts';
import { tokens } from '../service/tokens.ts';
import { askedParts, countedOutcomes } from './asked-parts.ts';
import { LostKeys, type LostEnd, type LostReport } from './lost-keys.ts';
import type { ReceiverParts } from './receiver-deliveries.ts';

/** Milliseconds for the look-ups of one attempt. */
const lookTime = 10_000;

/** Creates the sender of the links that affiliates ask for. The libraries for mail are loaded by the first request. */
export function createAskedLinks(
  { container, clock, log }: ReceiverParts,
  settings: MailSettings,
  baseUrl: () => string,
): LostKeys {
  const { affiliates, buyerLinks } = portsIn(container);
  const newLink = createLink(buyerLinks, container.get(tokens.platform).newSessionToken, digest);
  const mail = mailAffiliateLink(affiliates, createAffiliateLink(newLink, affiliates, baseUrl, true), {
    loadMail: mailLoader(settings, baseUrl),
    randomBytes,
  });
  return new LostKeys({
    ...askedParts(),
    mail: async (asked, call) => (await mail(asked, call)) ?? { outcome: 'unknown' },
    newCall: ({ correlationId }) => ({ ...newCall(clock(), lookTime, 'buyer'), correlationId }),
    report: (report, end) => passOn(log, report, end),
  });
}

/** Counts each attempt, and logs those that mail nothing to an affiliate. Nothing that was typed is logged. */
function passOn(log: ReceiverParts['log'], report: LostReport, { correlationId, isLast }: LostEnd): void {
  mailReports.send({ kind: 'affiliate', outcome: countedOutcomes[report.outcome] });
  switch (report.outcome) {
    case 'sent':
    case 'unconfirmed':
    case 'unknown':
      return;
    case 'refused':
      log.error({ kind: 'affiliate', code: report.code, correlationId }, 'a mail is refused: its mailbox is unknown');
      return;
    case 'failed':
      if (isLast) log.error({ code: report.code, correlationId }, notMailed);
      return;
    case 'fault':
      log.error({ err: report.error, correlationId }, isLast ? notMailed : 'an affiliate could not be looked up');
  }
}

const notMailed = 'the link of an affiliate was asked for and not mailed: all attempts have failed';
