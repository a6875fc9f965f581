import type { Invoice, TaxRate } from './stored.ts';

/** A tax that is added to the price. */
export function newTaxRate(id: string, percentage: number, created: number): TaxRate {
  return {
    id,
    object: 'tax_rate',
    active: true,
    country: null,
    created,
    description: null,
    display_name: 'VAT',
    effective_percentage: percentage,
    flat_amount: null,
    inclusive: false,
    jurisdiction: null,
    jurisdiction_level: null,
    livemode: false,
    metadata: {},
    percentage,
    rate_type: 'percentage',
    state: null,
    tax_type: 'vat',
  };
}

/** The tax of a percentage on an amount, in whole minor units. */
export function taxOn(amount: number, percentage: number): number {
  return Math.round((amount * percentage) / 100);
}

/** The taxes of an amount, as an invoice and each of its lines show them. */
export function taxesOn(amount: number, rates: readonly TaxRate[]): NonNullable<Invoice['total_taxes']> {
  return rates.map(({ id, percentage }) => ({
    amount: taxOn(amount, percentage),
    tax_behavior: 'exclusive',
    tax_rate_details: { tax_rate: id },
    taxability_reason: 'standard_rated',
    taxable_amount: amount,
    type: 'tax_rate_details',
  }));
}
