import type { LinkForBuyer } from '../../buyer/support-link.ts';
import type { Call } from '../../call.ts';
import type { Mail } from '../../mail/mail.ts';
import { statementToMail, type MailOutcome } from '../../mail/mailing.ts';
import { codeIn, deliveryBy, ended, type EventMailParts } from '../../mail/send-event-mail.ts';
import type { SendDelivery } from '../../webhook/send-delivery.ts';
import type { CreateAffiliateLink } from '../affiliate-links.ts';
import type { Affiliate } from '../affiliate.ts';
import type { Affiliates } from '../affiliates.port.ts';

export interface StatementMailParts
  extends Pick<EventMailParts, 'newCall' | 'products' | 'report'>, Pick<Mail, 'sender' | 'host' | 'hasAffiliatePages'> {
  readonly affiliates: Pick<Affiliates, 'find'>;
  readonly createLink: CreateAffiliateLink;
  readonly writer: Pick<Mail['writer'], 'statement'>;
}

/**
 * Mails a statement that was closed with a balance to pay to its affiliate, at the current address, with a link to the
 * affiliate's own page where it opens one. Each attempt has the same id, so that a copy is recognized. Throws faults of
 * the store.
 */
export function mailStatement(parts: StatementMailParts): SendDelivery {
  const { affiliates, products, sender, writer } = parts;
  return async ({ message, signal }) => {
    if (message.type === 'webhook.test') return ended('not for mail');
    const statement = statementToMail(message);
    if (statement === null) return ended('not for mail');
    const call = parts.newCall(message.correlationId ?? message.id);
    const report = (outcome: MailOutcome, code: string | null = null): void => {
      const about = { kind: 'statement', statementId: statement.id, eventId: message.id } as const;
      parts.report({ ...about, outcome, code }, call.correlationId);
    };
    const affiliate = await affiliates.find(statement.handle, call);
    if (affiliate === null || affiliate.email === null) {
      report('no_address');
      return ended('no_address');
    }
    const content = writer.statement({
      statement,
      product: await products.find(statement.productId, call),
      link: await linkOf(parts, affiliate, call),
    });
    const messageId = `statement.${message.id}@${parts.host}`;
    const result = await sender.send({ to: affiliate.email, messageId, ...content }, signal);
    report(result.outcome, codeIn(result));
    return deliveryBy(result);
  };
}

/** One who has ended has no page. */
async function linkOf(
  { createLink, hasAffiliatePages }: StatementMailParts,
  { handle, state }: Affiliate,
  call: Call,
): Promise<LinkForBuyer | null> {
  return hasAffiliatePages && state === 'active' ? createLink(handle, null, call) : null;
}
