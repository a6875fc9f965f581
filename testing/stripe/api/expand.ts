import { listOf, type List } from '../objects/stored.ts';
import type { Ledger } from '../shop/ledger.ts';
import { refusals } from './refusals.ts';

/** Stripe's limit, in which `data` counts. */
const deepest = 4;

type Json = Record<string, unknown>;

/** Puts the objects that `expand` names into an answer. Refuses what Stripe refuses. */
export function expand(ledger: Ledger, answer: object, paths: readonly string[]): object {
  for (const path of paths) {
    const names = path.split('.');
    if (names.length > deepest) throw refusals.tooDeep(path);
    expandAt(ledger, answer as Json, names, path);
  }
  return answer;
}

function expandAt(ledger: Ledger, inside: Json, [name = '', ...others]: readonly string[], path: string): void {
  const value = valueOf(ledger, inside, name, path);
  if (value === null) return;
  for (const each of Array.isArray(value) ? value : [value])
    if (others.length > 0) expandAt(ledger, each, others, path);
}

function valueOf(ledger: Ledger, inside: Json, name: string, path: string): Json | Json[] | null {
  const present = inside[name];
  if (present === null) return null;
  if (Array.isArray(present)) return listed(ledger, inside, name, present as readonly unknown[], path);
  if (typeof present === 'object') return present as Json;
  const found = typeof present === 'string' ? referred(ledger, name, present) : included(ledger, inside, name);
  if (found === undefined) throw refusals.notExpandable(path);
  const copy = structuredClone(found) as Json;
  inside[name] = copy;
  return copy;
}

/** The objects of a member that has them, or that names them by their ids. */
function listed(ledger: Ledger, inside: Json, name: string, present: readonly unknown[], path: string): Json[] {
  const objects = present.map((each) => {
    const found = typeof each === 'string' ? referred(ledger, name, each) : (each as object);
    if (found === undefined) throw refusals.notExpandable(path);
    return structuredClone(found) as Json;
  });
  inside[name] = objects;
  return objects;
}

/** The members that hold an id, with the objects that it names. */
function referred(ledger: Ledger, name: string, id: string): object | undefined {
  const tables: Readonly<Record<string, ReadonlyMap<string, object>>> = {
    charge: ledger.charges,
    customer: ledger.customers,
    discounts: ledger.discounts,
    invoice: ledger.invoices,
    latest_charge: ledger.charges,
    latest_invoice: ledger.invoices,
    payment_intent: ledger.paymentIntents,
    promotion_code: ledger.promotionCodes,
    subscription: ledger.subscriptions,
  };
  return tables[name]?.get(id);
}

/** The lists that an object has only if they are asked for. */
function included(ledger: Ledger, inside: Json, name: string): object | undefined {
  const id = String(inside['id']);
  const which = `${String(inside['object'])}.${name}`;
  if (which === 'invoice.payments') return firstOf('/v1/invoice_payments', of(ledger.invoicePayments, 'invoice', id));
  if (which === 'charge.refunds') return firstOf(`/v1/charges/${id}/refunds`, of(ledger.refunds, 'charge', id));
  if (which === 'checkout.session.line_items')
    return firstOf(`/v1/checkout/sessions/${id}/line_items`, ledger.lineItems.get(id) ?? []);
  return undefined;
}

/** Stripe puts ten into an object; the others are read from their own list. */
function firstOf<T>(url: string, all: readonly T[]): List<T> {
  return listOf(url, all.slice(0, 10), all.length > 10);
}

function of<T extends object>(table: ReadonlyMap<string, T>, member: keyof T, id: string): T[] {
  return [...table.values()].filter((each) => each[member] === id);
}
