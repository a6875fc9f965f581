import type { Administration } from '../../../../core/administration/administration.ts';
import { snapshotView } from '../views.ts';
import type { AdminRow } from './admin-operation.ts';
import { fullSnapshotView } from './admin-views.ts';
import { licenseRotationBody, licenseSearchBody } from './bodies/admin-bodies.ts';
import { findDocs, revokeLicenseDocs, rotateLicenseDocs } from './docs/entitlement-change-docs.ts';

const path = '/admin/entitlements/:id/license';

export function licenseRows({ rotateLicense, revokeLicense, findByLicenseKey }: Administration): readonly AdminRow[] {
  return [
    {
      id: 'rotateLicense',
      method: 'POST',
      path: `${path}/rotate`,
      access: 'admin:entitlements',
      body: 'optional json',
      docs: rotateLicenseDocs,
      answer: async ({ parameters: { id = '' }, body, call }) => {
        const { licenseKey: given = null } = licenseRotationBody.read(body);
        const { licenseKey, snapshot } = await rotateLicense(id, given, call);
        return { data: { licenseKey }, entitlementId: snapshot.id };
      },
    },
    {
      id: 'revokeLicense',
      method: 'POST',
      path: `${path}/revoke`,
      access: 'admin:entitlements',
      docs: revokeLicenseDocs,
      answer: async ({ parameters: { id = '' }, call }) => {
        const { snapshot } = await revokeLicense(id, call);
        return { data: snapshotView(snapshot), entitlementId: snapshot.id };
      },
    },
    {
      id: 'findByLicenseKey',
      method: 'POST',
      path: '/admin/licenses/find',
      access: 'admin:read',
      body: 'json',
      docs: findDocs,
      answer: async ({ body, call }) => {
        const snapshot = await findByLicenseKey(licenseSearchBody.read(body).licenseKey, call);
        return { data: fullSnapshotView(snapshot), entitlementId: snapshot.id };
      },
    },
  ];
}
