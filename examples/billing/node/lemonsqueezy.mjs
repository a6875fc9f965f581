// Makes events for the handler of the webhooks of Lemon Squeezy.
import { event, isSame, read, setting, sign, tierOf } from './vendor.mjs';

const [secret, key] = [setting('LEMONSQUEEZY_SECRET'), setting('LEMONSQUEEZY_KEY')];
const api = setting('LEMONSQUEEZY_API', 'https://api.lemonsqueezy.com/v1');

export async function eventsOf({ headers, body }) {
  if (!isSame(sign(body, secret), headers['x-signature'] ?? '')) return null;
  const { meta, data } = JSON.parse(body);
  if (data.type === 'orders') return ofOrder(meta.event_name, data.id);
  if (data.type === 'subscriptions') return ofSubscription(meta.event_name, data.id);
  const { subscription_id: id, status } = data.attributes;
  if (data.type !== 'subscription-invoices') return [];
  if (meta.event_name !== 'subscription_payment_refunded') return ofSubscription(meta.event_name, id);
  return status === 'partial_refund' ? [] : [event('suspended', { id: `ls_sub_${id}` })];
}

async function ofOrder(name, orderId) {
  const {
    status,
    user_email: email,
    first_order_item: item,
  } = (await read(`${api}/orders/${orderId}`, key)).data.attributes;
  const tier = tierOf(item.variant_id, item.product_id);
  if (tier?.billingInterval !== 'one_time') return []; // a subscription has events of its own
  const id = `ls_order_${orderId}`;
  if (name === 'order_created') return status === 'paid' ? [event('created', { id, email, ...tier })] : [];
  if (['paid', 'partial_refund', 'pending', 'failed'].includes(status)) return [];
  return [event(['refunded', 'fraudulent'].includes(status) ? 'deleted' : 'suspended', { id })];
}

async function ofSubscription(name, subscriptionId) {
  const state = (await read(`${api}/subscriptions/${subscriptionId}`, key)).data.attributes;
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
  if (name !== 'subscription_created') return changes;
  return status === 'expired' ? [] : [event('created', created), ...changes];
}
