import { cursorAt, type ListName } from '../../core/paging/cursor.ts';
import { productId, type Data } from '../data/seed-store.ts';
import { changedEntitlements, get, keyOf, post, put, stride, type Workload } from './workloads.ts';

const day = 86_400_000;

/** The end of the first period that a renewal adds, after that of every seeded entitlement. */
const firstRenewalEnd = Date.UTC(2100, 0, 1);

/** The list that the pages belong to: every entitlement. */
const everyEntitlement: ListName = ['entitlements', null, null, null, null];

const pageSize = 50;
const target = null;

/** The requests of an operator under load. None of them changes an entitlement that `durable cancel` changes. */
export function adminWorkloads({
  operatorKey,
  entitlementIds,
}: Data): Readonly<Record<'grant' | 'renew' | 'show' | 'page', Workload>> {
  const authorization = `Authorization: Bearer ${operatorKey}\r\n`;
  const json = `${authorization}Content-Type: application/json\r\n`;
  const idOf = (number: number): string => entitlementIds[(number * stride) % entitlementIds.length] ?? '';
  const path = '/admin/entitlements';
  const terms = { productId, tierId: 'pro', tierName: 'Professional', billingInterval: 'month' };
  const grant = JSON.stringify(terms);
  return {
    grant: { name: 'grant', target, status: 201, request: (number) => put(`${path}/${keyOf(number)}`, json, grant) },
    renew: {
      name: 'renew',
      target,
      request: (number) => {
        const turn = Math.floor(number / changedEntitlements);
        const currentPeriodEnd = new Date(firstRenewalEnd + turn * day).toISOString();
        const id = idOf(changedEntitlements + (number % changedEntitlements));
        return post(`${path}/${id}/renew`, json, JSON.stringify({ currentPeriodEnd }));
      },
    },
    show: { name: 'show', target, request: (number) => get(`${path}/${idOf(number)}`, authorization) },
    page: {
      name: 'page',
      target,
      request: (number) => {
        const after = cursorAt(everyEntitlement, [idOf(number)]);
        return get(`${path}?limit=${pageSize}&after=${after}`, authorization);
      },
    },
  };
}
