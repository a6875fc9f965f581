import type { Statement } from '../affiliate/statement/statement.ts';
import type { LinkForBuyer } from '../buyer/support-link.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { Ending } from '../entitlement/event/ending-soon.ts';
import type { Why } from '../entitlement/why/why.ts';
import type { Product } from '../product/products.port.ts';

/** The content of a mail, as plain text and as HTML that loads nothing but icons of products. No subject has a key. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A purchase, as mails name it. */
export interface Bought {
  readonly entitlement: Entitlement;
  /** Null if the product is unknown. */
  readonly product: Product | null;
}

export interface KeyMail extends Bought {
  readonly licenseKey: string;
  readonly now: Date;
}

/** A license whose key is not known, with a link to its page. */
export interface LinkMail extends Bought {
  readonly why: Why;
  readonly link: LinkForBuyer;
  readonly now: Date;
}

/** A key that was replaced. The mail has neither the old nor the new one. */
export interface ReplacedMail extends Bought {
  readonly replacedAt: Date;
  /** The last characters of the old key; null if they may not be shown. */
  readonly oldLastFour: string | null;
}

/** An end of access that is near, by a cancellation or a fixed term. The mail has no key. */
export interface EndingMail extends Bought {
  readonly ending: Ending;
  readonly now: Date;
}

/** Every license of an address, in the order of the mail. */
export interface LostMail {
  readonly licenses: readonly LostLicense[];
  readonly now: Date;
}

export interface LostLicense extends Bought {
  readonly why: Why;
  /** Null for a key that is not known any more. */
  readonly licenseKey: string | null;
  readonly link: LinkForBuyer;
}

/** An invitation of the waitlist. */
export interface InviteMail {
  /** The page where the key is issued. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** The link to an affiliate's own page. */
export interface AffiliateMail {
  readonly handle: string;
  readonly link: LinkForBuyer;
  /** Whether somebody has invited the affiliate; else the affiliate has asked for the link. */
  readonly isInvitation: boolean;
}

/** A statement that was closed, for its affiliate. */
export interface StatementMail {
  readonly statement: Statement;
  /** Null if the product is unknown. */
  readonly product: Product | null;
  /** The link to the affiliate's own page; null if it would open nothing. */
  readonly link: LinkForBuyer | null;
}

/** Writes each kind of mail. */
export interface MailWriter {
  /** The key of a purchase, for its buyer. */
  key(mail: KeyMail): MailContent;
  /** The link to a license whose key is not known. */
  link(mail: LinkMail): MailContent;
  /** The notice of another key. */
  replaced(mail: ReplacedMail): MailContent;
  /** The notice of an end that is near. */
  ending(mail: EndingMail): MailContent;
  /** Every license of an address, for somebody who has lost the keys. */
  lost(mail: LostMail): MailContent;
  /** The link to an affiliate's own page. */
  affiliate(mail: AffiliateMail): MailContent;
  /** The amount that an affiliate is owed for a month. */
  statement(mail: StatementMail): MailContent;
  /** The link by which somebody on the waitlist gets a key. */
  invite(mail: InviteMail): MailContent;
  /** A mail that proves that mail arrives. */
  test(): MailContent;
}
