// Makes events for the handler of the notifications of Paddle Billing.
import { event, isSame, portion, read, setting, sign, tierOf } from './vendor.mjs';

const [secret, key] = [setting('PADDLE_SECRET'), setting('PADDLE_KEY')];
const api = setting('PADDLE_API', 'https://api.paddle.com');
const notTaken = ['pending_approval', 'rejected', 'reversed']; // statuses of adjustments that take no money
const harmless = ['part', 'credit', 'credit_reverse', 'chargeback_reverse', 'chargeback_warning_reverse'];
const takes = ({ status, action }) =>
  !notTaken.includes(status) && ![...harmless, 'chargeback_warning'].includes(action);

export async function eventsOf({ headers, body }) {
  const parts = (headers['paddle-signature'] ?? '').split(';').map((part) => part.split('='));
  const valuesOf = (name) => parts.filter(([first]) => first === name).map(([, value]) => value ?? '');
  const [time] = valuesOf('ts');
  const isRecent = Math.abs(Date.now() / 1000 - time) < 60;
  const expected = sign(`${time}:${body}`, secret);
  if (!isRecent || !valuesOf('h1').some((signature) => isSame(signature, expected))) return null;
  const { event_type: type, data } = JSON.parse(body);
  if (type.startsWith('subscription.')) return ofSubscription(type, data.id);
  if (type === 'transaction.completed') return ofSale(data.id, true);
  return type.startsWith('adjustment.') ? ofSale(data.transaction_id, false, data.action) : [];
}

const namesOf = ({ items }) => items.flatMap(({ price }) => [price.id, price.product_id]);

async function ofSubscription(type, subscriptionId) {
  const { data: state } = await read(`${api}/subscriptions/${subscriptionId}`, key);
  const tier = tierOf(...namesOf(state));
  if (!tier) return [];
  const { productId, ...terms } = tier;
  const { interval: billingInterval, frequency: billingIntervalCount } = state.billing_cycle;
  const id = `paddle_${subscriptionId}`;
  const currentPeriodEnd = state.current_billing_period?.ends_at ?? undefined;
  const updated = event('updated', { ...terms, id, billingInterval, billingIntervalCount, currentPeriodEnd });
  const cancellation = event(state.scheduled_change?.action === 'cancel' ? 'canceled' : 'resumed', { id });
  const paid = event('paid', { id, currentPeriodEnd, grace: tier.grace });
  const isEnding = cancellation.type === 'canceled'; // a period cannot be renewed once its cancellation is scheduled
  const around = (...events) => (isEnding ? [...events, cancellation] : [cancellation, ...events]);
  const changes = {
    trialing: around(updated),
    active: [...around(paid, updated), ...(type === 'subscription.resumed' ? [event('reinstated', { id })] : [])],
    past_due: [event('payment_failed', { id })],
    canceled: [event('deleted', { id })],
  }[state.status] ?? [event('suspended', { id })]; // paused, and what Paddle may add
  const all = [...changes, sold(id, state.custom_data, `subscription_id=${subscriptionId}`)];
  if (type !== 'subscription.created') return all;
  if (state.status === 'canceled') return [];
  const { email } = (await read(`${api}/customers/${state.customer_id}`, key)).data;
  const status = ['trialing', 'past_due'].find((standing) => standing === state.status);
  return [event('created', { ...updated.subscription, productId, email, status }), ...all];
}

const isPart = ({ action, type }) => action === 'refund' && ['partial', 'tax', 'proration'].includes(type);

async function ofSale(saleId, isNew, action) {
  const { data: sale } = await read(`${api}/transactions/${saleId}?include=customer,adjustments`, key);
  const tier = tierOf(...namesOf(sale));
  if (!tier) return [];
  const { subscription_id: subscriptionId } = sale;
  const id = `paddle_${subscriptionId ?? saleId}`;
  const query = subscriptionId ? `subscription_id=${subscriptionId}` : `id=${saleId}`;
  return [...changesOf(sale, tier, id, isNew, action), sold(id, sale.custom_data, query)];
}

function changesOf(sale, tier, id, isNew, action) {
  const taken = (sale.adjustments ?? []).filter(({ status }) => !notTaken.includes(status));
  const fates = taken.map((adjustment) => (isPart(adjustment) ? 'part' : adjustment.action));
  const isTaken = fates.some((fate) => !harmless.includes(fate));
  if (isNew) {
    const isPaid = ['paid', 'completed'].includes(sale.status) && !sale.subscription_id && !isTaken;
    const terms = { ...tier, billingInterval: 'one_time', grace: undefined }; // a purchase has no grace
    return isPaid ? [event('created', { ...terms, id, email: sale.customer.email })] : [];
  }
  if (isTaken) return [event(fates.includes('refund') && !sale.subscription_id ? 'deleted' : 'suspended', { id })];
  return action.startsWith('chargeback') && action.endsWith('_reverse') ? [event('reinstated', { id })] : [];
}

function sold(id, customData, query) {
  return event('sold', { id, via: customData?.latchkey_via, read: () => paidFor(query) });
}

/** The payments in the currency of the oldest. */
async function paidFor(query) {
  const sales = [];
  const order = 'order_by=created_at[ASC]&per_page=30';
  let next = `${api}/transactions?${query}&status=paid,completed&include=adjustments&${order}`;
  while (next) {
    const { data, meta } = await read(next, key);
    sales.push(...data);
    next = meta.pagination.has_more ? meta.pagination.next : null;
  }
  const [first] = sales;
  if (!first) return null;
  const own = sales.filter(({ currency_code: currency }) => currency === first.currency_code);
  return {
    currency: first.currency_code.toLowerCase(),
    attributedAt: first.created_at,
    payments: own.map(paymentOf),
  };
}

const withoutTax = ({ total, tax }) => total - tax;

/** What was paid by card and not by credit, without tax, and what of it is kept. */
function paymentOf({ id, details: { totals }, adjustments, billed_at: billedAt, created_at: createdAt }) {
  const amount = portion(totals.grand_total, withoutTax(totals), totals.total);
  const taken = (adjustments ?? []).filter(takes).reduce((sum, each) => sum + withoutTax(each.totals), 0);
  return { id, paidAt: billedAt ?? createdAt, amount, kept: Math.max(amount - taken, 0) };
}
