// Makes events for the handler of the webhooks of Lemon Squeezy.
import { event, isSame, portion, read, setting, sign, tierOf } from './vendor.mjs';

const [secret, key] = [setting('LEMONSQUEEZY_SECRET'), setting('LEMONSQUEEZY_KEY')];
const api = setting('LEMONSQUEEZY_API', 'https://api.lemonsqueezy.com/v1');

export async function eventsOf({ headers, body }) {
  if (!isSame(sign(body, secret), headers['x-signature'] ?? '')) return null;
  const { meta, data } = JSON.parse(body);
  const [name, via] = [meta.event_name, meta.custom_data?.latchkey_via];
  if (data.type === 'orders') return ofOrder(name, data.id, via);
  if (data.type === 'subscriptions') return ofSubscription(name, data.id, via);
  const { subscription_id: id, status } = data.attributes;
  if (data.type !== 'subscription-invoices') return [];
  if (name !== 'subscription_payment_refunded') return ofSubscription(name, id, via);
  const suspended = status === 'partial_refund' ? [] : [event('suspended', { id: `ls_sub_${id}` })];
  return [...suspended, soldBySubscription(id, via)];
}

const readOrder = async (id) => (await read(`${api}/orders/${id}`, key)).data.attributes;
const readSubscription = async (id) => (await read(`${api}/subscriptions/${id}`, key)).data.attributes;

async function ofOrder(name, orderId, via) {
  const { status, user_email: email, first_order_item: item } = await readOrder(orderId);
  const tier = tierOf(item.variant_id, item.product_id);
  if (tier?.billingInterval !== 'one_time') return []; // a subscription has events of its own
  const id = `ls_order_${orderId}`;
  const sold = event('sold', { id, via, read: () => paidByOrder(orderId) });
  if (name === 'order_created') return status === 'paid' ? [event('created', { id, email, ...tier }), sold] : [];
  if (['paid', 'partial_refund', 'pending', 'failed'].includes(status)) return [sold];
  return [event(['refunded', 'fraudulent'].includes(status) ? 'deleted' : 'suspended', { id }), sold];
}

async function ofSubscription(name, subscriptionId, via) {
  const state = await readSubscription(subscriptionId);
  const tier = tierOf(state.variant_id, state.product_id);
  if (!tier) return [];
  const { productId, ...terms } = tier;
  const id = `ls_sub_${subscriptionId}`;
  const isFree = state.status === 'paused' && state.pause?.mode === 'free';
  const status = isFree ? 'active' : state.status;
  const end = status === 'on_trial' ? state.trial_ends_at : (isFree && state.pause.resumes_at) || state.renews_at;
  const period = { id, currentPeriodEnd: state.ends_at ?? end };
  const updated = event('updated', { ...terms, ...period });
  const renewed = [event('paid', { ...period, grace: tier.grace }), updated];
  const isLifted = ['subscription_unpaused', 'subscription_payment_recovered'].includes(name);
  const standing = { on_trial: 'trialing', past_due: 'past_due' }[status];
  const created = { ...terms, ...period, productId, email: state.user_email, status: standing };
  const changes = {
    on_trial: [event('resumed', { id }), updated],
    active: [event('resumed', { id }), ...renewed, ...(isLifted ? [event('reinstated', { id })] : [])],
    cancelled: [...renewed, event('canceled', { id })],
    past_due: [event('payment_failed', { id })],
    expired: [event('deleted', { id })],
  }[status] ?? [event('suspended', { id })]; // unpaid, paused, and what Lemon Squeezy may add
  const all = [...changes, soldBySubscription(subscriptionId, via)];
  if (name !== 'subscription_created') return all;
  return status === 'expired' ? [] : [event('created', created), ...all];
}

function soldBySubscription(id, via) {
  return event('sold', { id: `ls_sub_${id}`, via, read: () => paidBySubscription(id) });
}

async function paidByOrder(id) {
  const order = await readOrder(id);
  return paidBy([{ id, attributes: order }], order.created_at);
}

async function paidBySubscription(id) {
  const { created_at: createdAt } = await readSubscription(id);
  const invoices = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const query = `filter[subscription_id]=${id}&page[size]=100&page[number]=${page}`;
    const { data, meta } = await read(`${api}/subscription-invoices?${query}`, key);
    invoices.push(...data);
    last = meta.page.lastPage;
  }
  return paidBy(invoices, createdAt);
}

/** The payments without tax, and what of them is kept, in the currency of the oldest. */
function paidBy(sales, attributedAt) {
  const paid = sales.filter(({ attributes: { status } }) => !['pending', 'failed', 'void'].includes(status));
  const currency = paid.at(-1)?.attributes.currency; // the newest comes first
  const payments = paid.flatMap(({ id, attributes: { status, total, tax, ...sale } }) => {
    const refunded = ['paid', 'partial_refund'].includes(status) ? (sale.refunded_amount ?? 0) : total;
    const [amount, kept] = [total, total - refunded].map((gross) => portion(gross, total - tax, total));
    return sale.currency === currency ? [{ id: String(id), paidAt: sale.created_at, amount, kept }] : [];
  });
  return currency ? { currency: currency.toLowerCase(), attributedAt, payments } : null;
}
