import { html, type Html } from './html.ts';

/** Currencies whose amounts at Stripe have no minor units, and those with three digits of them. */
const withoutMinor = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const withThousandths = new Set('bhd jod kwd omr tnd'.split(' '));

/** An amount in minor units as Stripe counts them: "US$9.00". */
export function moneyText(amount: number, currency: string, language = 'en-GB'): string {
  const digits = withoutMinor.has(currency) ? 0 : withThousandths.has(currency) ? 3 : 2;
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  // A quotient may have no room for the minor units of the largest amounts.
  return new Intl.NumberFormat(language, style).format(`${amount}e-${digits}` as Intl.StringNumericLiteral);
}

/** The same, which stands out below 0: "−US$5.40". */
export function moneyElement(amount: number, currency: string): Html {
  return html`<span class="${amount < 0 ? 'amount less' : 'amount'}"
    >${moneyText(amount, currency).replace('-', '−')}</span
  >`;
}

/** "US dollars". */
export function currencyName(currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'name' } as const;
  const parts = new Intl.NumberFormat('en-GB', style).formatToParts(2);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
