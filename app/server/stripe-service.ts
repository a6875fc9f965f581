import { digest, hmac, randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { stripeReports, type StripeCount } from '../../adapters/metrics/reports.ts';
import { claimKey, type ClaimKey } from '../../adapters/stripe/claim/claim-key.ts';
import { lookForClaims } from '../../adapters/stripe/claim/claim-looks.ts';
import { createStripe, type StripeClient } from '../../adapters/stripe/client/create-stripe.ts';
import { receiveEvent, type ReceiveEvent } from '../../adapters/stripe/hook/receive-event.ts';
import { checkSignatureHeader, type CheckSignatureHeader } from '../../adapters/stripe/hook/signature-header.ts';
import { lookAt, type LookParts } from '../../adapters/stripe/look-at.ts';
import type { LookAt } from '../../adapters/stripe/look/look.ts';
import type { ReportOnStripe, StripeReport } from '../../adapters/stripe/look/report.ts';
import { keepSeen } from '../../adapters/stripe/outgoing/keep-seen.ts';
import { readEffect, readPendingChange } from '../../adapters/stripe/outgoing/pending-change.ts';
import { sendLeft } from '../../adapters/stripe/outgoing/send-left.ts';
import type { SendParts } from '../../adapters/stripe/outgoing/send-part.ts';
import { sendState } from '../../adapters/stripe/outgoing/send-state.ts';
import type { Administration } from '../../core/administration/administration.ts';
import { logChanges } from '../../core/administration/change-log.ts';
import { deriveLicenseKey } from '../../core/billing/derive-license-key.ts';
import { everyPrice } from '../../core/billing/map-prices.ts';
import { isSoldByStripe } from '../../core/billing/sold-by-stripe.ts';
import type { Call } from '../../core/call.ts';
import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { StorePorts } from '../../core/store/store.port.ts';
import { administrationIn } from '../service/administration.ts';
import { portsIn } from '../service/container.ts';
import { changeLog } from '../service/logger.ts';
import { nodePlatform } from '../service/platform.ts';
import type { Settings } from '../settings/settings.ts';
import type { HttpPortParts } from './http-port.ts';

export type StripeSettings = Pick<
  Settings,
  'endingSoon' | 'stripeApiKey' | 'stripeWebhookSecret' | 'stripeUnpaidAccess' | 'stripeApiBase'
>;

/** The parts of a process that work with Stripe. */
export interface StripeService {
  readonly stripe: StripeClient;
  readonly look: LookAt;
  readonly claim: ClaimKey;
  /** Null without a signing secret. */
  readonly receive: ReceiveEvent | null;
  readonly checkSignature: CheckSignatureHeader;
}

const noSecret = 'STRIPE_WEBHOOK_SECRET is not set: /hooks/stripe is not served, so that no event of Stripe arrives';

/** Creates the service of a process whose settings have a key. Throws `StripeNotInstalled`. */
export async function createStripeService(
  parts: Pick<HttpPortParts, 'container' | 'log'>,
  settings: StripeSettings,
): Promise<StripeService> {
  const { stripe, look, report, administration } = await createStripeParts(parts, settings);
  const { stripeWebhookSecret: secrets } = settings;
  const deriveKey = deriveLicenseKey(portsIn(parts.container).licenseSecrets, { hmac, randomBytes });
  const claim = claimKey({
    look: lookForClaims(look),
    everyPrice: everyPrice(portsIn(parts.container).priceMap),
    administration,
    deriveKey,
    digest,
  });
  if (secrets === null) parts.log.warn(noSecret);
  const receive = secrets === null ? null : receiveEvent({ stripe, secrets, look, report });
  return { stripe, look, claim, receive, checkSignature: checkSignatureHeader(report) };
}

/** The parts that both directions need. */
interface StripeParts {
  readonly stripe: StripeClient;
  readonly look: LookAt;
  readonly report: ReportOnStripe;
  readonly administration: Administration;
}

/** Creates what both directions need, with a key. Throws `StripeNotInstalled`. */
export async function createStripeParts(
  { container, log }: Pick<HttpPortParts, 'container' | 'log'>,
  settings: Omit<StripeSettings, 'stripeWebhookSecret'>,
): Promise<StripeParts> {
  const { endingSoon, stripeApiKey, stripeApiBase } = settings;
  const stripe = await createStripe({ apiKey: stripeApiKey ?? '', apiBase: stripeApiBase });
  const ports = portsIn(container);
  const administration = logChanges(administrationIn(container, { endingSoon }), changeLog(log));
  const report = reportTo(log);
  const sources = stripeSources(ports, settings);
  return { stripe, look: createLook({ ...sources, stripe, administration, report }), report, administration };
}

/** Creates the look of a process. */
export function createLook(parts: Omit<LookParts, 'sendLeft'> & SendSources): LookAt {
  const { findEntitlement: find } = parts.administration;
  return lookAt({ ...parts, sendLeft: sendLeft({ ...parts, find, send: sendState({ ...parts, find }) }) });
}

interface SendSources extends Pick<SendParts, 'isSold'>, Pick<StorePorts, 'deliveryStreams'> {
  readonly cases: StorePorts['stripeCases'];
}

interface StripeSources
  extends
    Pick<
      LookParts,
      'deriveKey' | 'digest' | 'keepSeen' | 'newEventId' | 'prices' | 'readEffect' | 'readPending' | 'unpaidAccess'
    >,
    Pick<StorePorts, 'affiliates' | 'promotions' | 'sales'>,
    SendSources {}

/** The ports and settings that a look and a delivery read, apart from entitlements. */
export function stripeSources(
  ports: StorePorts,
  { stripeUnpaidAccess: unpaidAccess }: Pick<StripeSettings, 'stripeUnpaidAccess'>,
): StripeSources {
  const { affiliates, allEntitlements, deliveryStreams, licenseSecrets, priceMap, promotions, sales } = ports;
  const { stripeCases: cases } = ports;
  const find = (id: string, call: Call): Promise<Entitlement | null> => allEntitlements.find(id, call);
  return {
    cases,
    isSold: isSoldByStripe(priceMap),
    prices: priceMap,
    affiliates,
    promotions,
    sales,
    digest,
    newEventId: nodePlatform.newEventId,
    readPending: readPendingChange(ports),
    readEffect: readEffect(ports),
    deliveryStreams,
    deriveKey: deriveLicenseKey(licenseSecrets, { hmac, randomBytes }),
    keepSeen: keepSeen({ deliveryStreams, find }),
    unpaidAccess,
  };
}

/** Counts the reports about Stripe, and logs those that an operator can act on. */
function reportTo(log: HttpPortParts['log']): ReportOnStripe {
  const unknownMessage = onceAMinute((correlationId: string) => {
    log.warn(
      { correlationId },
      'a message that Stripe has signed is no event: it is dropped, so check the endpoint at Stripe',
    );
  });
  return (report, correlationId) => {
    const counted = countedOf(report);
    if (counted !== null) stripeReports.send(counted);
    switch (report.kind) {
      case 'looked':
      case 'event':
      case 'out':
        return;
      case 'unknown message':
        return unknownMessage(correlationId);
      case 'dropped': {
        const { id } = report;
        log.warn({ id, correlationId }, 'a resumption is not sent to Stripe: its buyer has canceled there since');
        return;
      }
      case 'out refused': {
        const { id, status, message } = report;
        log.error(
          { id, status, answer: message, correlationId },
          'Stripe refuses a change: the subscription stays as it is there',
        );
        return;
      }
      case 'unmapped': {
        const { id, prices } = report;
        log.warn({ id, prices, correlationId }, 'no price of a sale is mapped: add one with stripe map add');
        return;
      }
      case 'several products': {
        const { id, prices } = report;
        log.warn({ id, prices, correlationId }, 'a sale has several products: grant those of these prices yourself');
        return;
      }
      case 'unknown status': {
        const { id, status } = report;
        log.warn({ id, status, correlationId }, 'Stripe has a status that this release does not know: it suspends');
        return;
      }
      case 'several prices': {
        const { id, used, ignored } = report;
        log.info(
          { id, used, ignored, correlationId },
          'a sale has several prices: those that are not mapped count for nothing',
        );
        return;
      }
      case 'payments left out': {
        const { sale, otherCurrency, tooMany } = report;
        log.warn({ sale, otherCurrency, tooMany, correlationId }, 'payments of a sale earn its affiliate nothing');
        return;
      }
      case 'unattributed': {
        const { id, reason } = report;
        log.warn({ id, reason, correlationId }, 'sale unattributed');
        return;
      }
      case 'refused': {
        const { kind: _kind, ...facts } = report;
        log.warn({ ...facts, correlationId }, refusals[report.reason]);
      }
    }
  };
}

/** Leaves out what comes within a minute of what was let through. */
function onceAMinute(send: (correlationId: string) => void): (correlationId: string) => void {
  let next = -Infinity;
  return (correlationId) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 60_000;
    send(correlationId);
  };
}

function countedOf(report: StripeReport): StripeCount | null {
  switch (report.kind) {
    case 'looked':
      return { kind: 'look', outcome: report.look.kind === 'aligned' ? report.look.outcome : report.look.kind };
    case 'event':
      return { kind: 'event', outcome: report.outcome };
    case 'out':
      return { kind: 'out', outcome: report.outcome };
    case 'dropped':
      return { kind: 'out', outcome: 'dropped' };
    case 'out refused':
      return { kind: 'out', outcome: 'refused' };
    case 'unmapped':
      return { kind: 'unmapped' };
    case 'unknown message':
      return { kind: 'event', outcome: 'ignored' };
    case 'several products':
    case 'several prices':
    case 'payments left out':
    case 'unattributed':
    case 'unknown status':
      return null;
    case 'refused':
      return { kind: 'refused', reason: report.reason };
  }
}

const refusals: Readonly<Record<Extract<StripeReport, { readonly kind: 'refused' }>['reason'], string>> = {
  revoked_here: 'an entitlement is revoked, and its buyer is charged: end the sale at Stripe, or grant a new one',
  other_product: 'a price is mapped to another product than the entitlement has: grant a new one',
  other_kind: 'a subscription and a purchase have one id: grant a new one',
  refund_failed: 'a refund has failed after it revoked a purchase, which is final: grant a new one',
  grant_refused: 'a sale could not be granted: look at the code',
};
