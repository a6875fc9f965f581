/** Currencies whose amounts at Stripe have no minor units, and those with three digits of them. */
const withoutMinor = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const withThousandths = new Set('bhd jod kwd omr tnd'.split(' '));

/** An amount in minor units as Stripe counts them: "US$9.00". */
export function moneyText(amount: number, currency: string, language = 'en-GB'): string {
  const digits = withoutMinor.has(currency) ? 0 : withThousandths.has(currency) ? 3 : 2;
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language, style).format(amount / 10 ** digits);
}
