import type { Administration } from '../../../../core/administration/administration.ts';
import { snapshotView } from '../views.ts';
import type { AdminRow } from './admin-operation.ts';
import { fullSnapshotView } from './admin-views.ts';
import { licenseRotationBody, licenseSearchBody } from './bodies/admin-bodies.ts';
import { findDocs, revokeLicenseDocs, rotateLicenseDocs } from './docs/entitlement-change-docs.ts';
import { changeAnswer } from './entitlement-change-operations.ts';

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
        const answer = await rotateLicense(id, given, call);
        return changeAnswer('license rotate', answer, { licenseKey: answer.licenseKey });
      },
    },
    {
      id: 'revokeLicense',
      method: 'POST',
      path: `${path}/revoke`,
      access: 'admin:entitlements',
      docs: revokeLicenseDocs,
      answer: async ({ parameters: { id = '' }, call }) => {
        const answer = await revokeLicense(id, call);
        return changeAnswer('license revoke', answer, snapshotView(answer.snapshot));
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
