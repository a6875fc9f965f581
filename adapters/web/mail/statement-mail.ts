import { lastInstantOf } from '../../../core/affiliate/statement/month.ts';
import type { MailContent, StatementMail } from '../../../core/mail/mail-writer.port.ts';
import { addressed, footer, mailOf, named, paragraph, say, type MailSite } from './mail-parts.ts';

/** The mail about the amount that an affiliate is owed for a month. Its subject contains no name. */
export function statementMail(site: MailSite, { statement, product, link }: StatementMail): MailContent {
  const { words, name } = site;
  const { currency, lineCount, opening, total, balance, productId } = statement;
  const month = words.month(lastInstantOf(statement.month));
  const amount = (sum: number): { readonly amount: string } => ({ amount: words.money(sum, currency) });
  const of = { month, product: named(product?.name ?? productId), site: named(name) };
  return mailOf(site, words.plain('mailStatementSubject', { month, ...amount(balance) }), [
    paragraph(say(words, 'mailStatementClosed', of)),
    paragraph(
      say(words, 'mailStatementLines', { count: words.number(lineCount) }),
      say(words, 'mailStatementTotal', amount(total)),
      ...(opening === 0 ? [] : [say(words, 'mailStatementOpening', amount(opening))]),
      say(words, 'mailStatementBalance', amount(balance)),
    ),
    ...(link === null
      ? []
      : [
          paragraph(
            say(words, 'mailStatementOpen', { time: words.plainInstant(link.expiresAt) }),
            addressed(site, link.url),
          ),
          footer(say(words, 'mailAffiliateSecret')),
        ]),
  ]);
}
