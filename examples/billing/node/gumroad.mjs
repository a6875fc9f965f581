// Makes events for the handler of the pings of Gumroad.
import { event, isSame, portion, read, setting, tierOf } from './vendor.mjs';

const [secret, key] = [setting('GUMROAD_SECRET'), setting('GUMROAD_KEY')];
const api = setting('GUMROAD_API', 'https://api.gumroad.com/v2');
const recurrences = {
  monthly: ['month', 1],
  quarterly: ['month', 3],
  biannually: ['month', 6],
  yearly: ['year', 1],
  every_two_years: ['year', 2],
  every_three_years: ['year', 3],
};

const readSale = async (id) => (await read(`${api}/sales/${encodeURIComponent(id)}`, key)).sale;
const readMember = async (id) => (await read(`${api}/subscribers/${encodeURIComponent(id)}`, key)).subscriber;
const isTaken = ({ disputed, dispute_won: isWon }) => disputed && !isWon;

export async function eventsOf({ url, body }) {
  const token = new URL(url, 'http://localhost').searchParams.get('token') ?? '';
  if (!isSame(token, secret)) return null;
  const ping = new URLSearchParams(body);
  const name = ping.get('resource_name') ?? 'sale';
  const sale = ping.has('sale_id') ? await readSale(ping.get('sale_id')) : null;
  const memberId = sale ? sale.subscription_id : ping.get('subscription_id');
  if (!memberId && !sale) return [];
  const member = memberId ? await readMember(memberId) : null;
  const first = member ? await firstOf(member.purchase_ids) : sale;
  const tier = tierOfSale(sale ?? first);
  if (!tier || !first.license_key) return [];
  const sold = { id: idOf(first), via: ping.get('url_params[via]'), read: () => paidFor(memberId, first) };
  const events = member ? ofMembership(name, tier, sale, first, member) : ofPurchase(name, tier, sale);
  return [...events, event('sold', sold)];
}

async function firstOf(saleIds) {
  let first = { recurring_charge: true };
  for (let at = 0; first.recurring_charge && at < saleIds.length; at += 1) first = await readSale(saleIds[at]);
  return first;
}

/** The id that an import gives, too. */
const idOf = (sale) => `gumroad_${sale.id.replace(/=+$/, '')}`;

function tierOfSale({ product_id: product, variants }) {
  const variant = Object.values(variants || {}).join(', ');
  return tierOf(...(variant ? [`${product} (${variant})`] : []), product);
}

function ofPurchase(name, tier, sale) {
  const terms = {
    ...tier,
    id: idOf(sale),
    licenseKey: sale.license_key,
    billingInterval: 'one_time',
    grace: undefined,
  };
  if (name === 'sale') return sale.refunded || isTaken(sale) ? [] : [event('created', terms)];
  if (sale.refunded || isTaken(sale)) return [event(sale.refunded ? 'deleted' : 'suspended', { id: terms.id })];
  return name === 'dispute_won' ? [event('reinstated', { id: terms.id })] : [];
}

function ofMembership(name, tier, sale, first, { status, recurrence, free_trial_ends_at: trialEnd }) {
  const id = idOf(first);
  const isInstallments = tier.billingInterval === 'one_time';
  if (status === 'fixed_subscription_period_ended' && isInstallments) return []; // all is paid
  if (status === 'pending_failure') return [event('payment_failed', { id })];
  if (!['alive', 'pending_cancellation'].includes(status)) return [event('suspended', { id })];
  if (sale?.refunded || (sale && isTaken(sale))) return [event('suspended', { id })];
  if (['dispute_won', 'subscription_restarted'].includes(name)) return [event('reinstated', { id })];
  if (name !== 'sale') return [];
  const licenseKey = first.license_key;
  const isFirst = sale.id === first.id;
  if (isInstallments) return isFirst ? [event('created', { ...tier, id, licenseKey })] : [];
  const { productId, ...terms } = tier;
  const [billingInterval, billingIntervalCount] = recurrences[recurrence];
  const isTrial = isFirst && trialEnd > sale.created_at;
  const currentPeriodEnd = isTrial ? trialEnd : later(sale.created_at, billingInterval, billingIntervalCount);
  const updated = event('updated', { ...terms, id, billingInterval, billingIntervalCount, currentPeriodEnd });
  if (!isFirst) return [event('resumed', { id }), event('paid', { id, currentPeriodEnd, grace: tier.grace }), updated];
  const start = { currentPeriodStart: sale.created_at, status: isTrial ? 'trialing' : undefined };
  return [event('created', { ...updated.subscription, ...start, productId, licenseKey })];
}

/** What was paid, in US cents and without the tax that Gumroad adds. The sale that begins a trial charges nothing. */
async function paidFor(memberId, first) {
  const member = memberId ? await readMember(memberId) : { purchase_ids: [first.id] };
  const sales = await Promise.all(member.purchase_ids.map(readSale));
  const isTrial = member.free_trial_ends_at > first.created_at;
  const charged = sales.filter(({ id }) => id !== first.id || !isTrial);
  const payments = charged.map((sale) => {
    return { id: idOf(sale), paidAt: sale.created_at, amount: sale.price, kept: keptOf(sale) };
  });
  return { currency: 'usd', attributedAt: first.created_at, payments };
}

function keptOf(sale) {
  if (sale.refunded || isTaken(sale)) return 0;
  if (!sale.partially_refunded) return sale.price;
  return portion(sale.price, centsIn(sale.amount_refundable_in_currency), centsIn(sale.formatted_total_price));
}

/** 123450 for `1,234.50`, `€1,234.50` and `€1,234.50 a month`. */
const centsIn = (price) => Math.round(100 * Number(/\d[\d,.]*/.exec(price)[0].replaceAll(',', '')));

/** The same day of a later month, or the last one of a shorter month. */
function later(instant, interval, count) {
  const end = new Date(instant);
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + (interval === 'year' ? 12 : 1) * count);
  if (end.getUTCDate() !== day) end.setUTCDate(0);
  return end.toISOString();
}
