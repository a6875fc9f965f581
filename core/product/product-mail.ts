import { textRule, type ValueRule } from '../parsing/value-rule.ts';

/** The mails that buyers of a product get, and the texts of the one with the license key. */
export interface ProductMail {
  /** Whether buyers of a sale of Stripe get their key by mail. */
  readonly mailKeys: boolean;
  /** Null for the subject of the service. */
  readonly mailSubject: string | null;
  /** The use of the key, as plain text; null for the text of the service. */
  readonly mailText: string | null;
  /** Whether buyers of a sale of Stripe get a mail before their access ends. */
  readonly mailEnding: boolean;
}

export const maxMailSubject = 200;
export const maxMailText = 2000;

const placeholders = String.raw`\{product\}|\{tier\}`;
const noLine = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;
const noText = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`;

/** The forms of both texts, for the documents of the interface. */
export const mailSubjectPattern = filled(noLine);
export const mailTextPattern = filled(noText);

function filled(excluded: string): string {
  const any = `(?:[^{}${excluded}]|${placeholders})`;
  return String.raw`^${any}*(?:[^{}\s\ufeff${excluded}]|${placeholders})${any}*$`;
}

const bracesRule = 'not blank, with no braces but {product} and {tier}';

export const mailSubjectRule = textWithNames(
  /[\p{Cc}\p{Cs}\u2028\u2029]/u,
  maxMailSubject,
  `must be one line of at most ${maxMailSubject} characters, ${bracesRule}`,
);

/** Line ends become line feeds. */
export const mailTextRule = textWithNames(
  /[^\P{Cc}\t\n]|\p{Cs}/u,
  maxMailText,
  `must be a plain text of at most ${maxMailText} characters, ${bracesRule}`,
);

function textWithNames(excluded: RegExp, maxLength: number, rule: string): ValueRule<string> {
  return textRule((given) => {
    const text = given.replaceAll('\r\n', '\n');
    const isValid = text.trim() !== '' && [...text].length <= maxLength && !excluded.test(text);
    return isValid && !/[{}]/.test(withNames(text, '', '')) ? text : null;
  }, rule);
}

/** Puts the names into a text, each where its placeholder stands. A name with braces stays as it is. */
export function withNames(text: string, product: string, tier: string): string {
  return text.replaceAll(/\{(product|tier)\}/g, (_placeholder, name) => (name === 'tier' ? tier : product));
}
