import type { Administration } from '../../../../core/administration/administration.ts';
import { entitlementStatuses } from '../../../../core/entitlement/status.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf } from '../../../../core/parsing/value-rule.ts';
import { snapshotView } from '../views.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { fullSnapshotView, historyView } from './admin-views.ts';
import { grantBody } from './bodies/admin-bodies.ts';
import { historyDocs, listDocs, putDocs, showDocs } from './docs/entitlement-docs.ts';
import { identifierIn, pageIn, parameterIn } from './query-parameters.ts';

const statusRule = oneOf(entitlementStatuses);

const path = '/admin/entitlements/:id';

/** Reading entitlements, and granting them. */
export function entitlementRows(administration: Administration): readonly AdminRow[] {
  const { listEntitlements, showEntitlement, putEntitlement, showHistory } = administration;
  return [
    {
      id: 'listEntitlements',
      method: 'GET',
      path: '/admin/entitlements',
      access: 'admin:read',
      docs: listDocs,
      answer: async (request) => {
        const page = pageIn(request);
        const filter = {
          productId: parameterIn(request, 'product', identifierRule),
          status: parameterIn(request, 'status', statusRule),
          endsBefore: parameterIn(request, 'endsBefore', instantRule),
          reference: parameterIn(request, 'reference', displayNameRule),
        };
        return listAnswer(page, await listEntitlements(filter, page, request.call), snapshotView);
      },
    },
    {
      id: 'showEntitlement',
      method: 'GET',
      path,
      access: 'admin:read',
      docs: showDocs,
      answer: async ({ parameters: { id = '' }, call }) => ({
        data: fullSnapshotView(await showEntitlement(id, call)),
        entitlementId: id,
      }),
    },
    {
      id: 'putEntitlement',
      method: 'PUT',
      path,
      access: 'admin:entitlements',
      body: 'json',
      docs: putDocs,
      answer: async (request) => {
        const id = identifierIn(request, 'id');
        const { licenseKey = null, ...written } = grantBody.read(request.body);
        const answer = await putEntitlement({ id, written, licenseKey }, request.call);
        const data = { entitlement: snapshotView(answer.entitlement), licenseKey: answer.licenseKey };
        return { status: answer.outcome === 'granted' ? 201 : 200, data, entitlementId: id };
      },
    },
    {
      id: 'showHistory',
      method: 'GET',
      path: `${path}/history`,
      access: 'admin:read',
      docs: historyDocs,
      answer: async ({ parameters: { id = '' }, call }) => ({
        data: (await showHistory(id, call)).map(historyView),
        entitlementId: id,
      }),
    },
  ];
}
