import type { Administration } from '../../../../core/administration/administration.ts';
import { offlineAge } from '../../../../core/receipt/issue-offline-receipt.ts';
import { refuse } from '../../refusals.ts';
import { receiptView } from '../views.ts';
import type { AdminRow } from './admin-operation.ts';
import { signingKeyView } from './admin-views.ts';
import { offlineReceiptBody, signingKeyRotationBody } from './bodies/admin-bodies.ts';
import { listKeysDocs, offlineReceiptDocs, revokeKeyDocs, rotateKeysDocs } from './docs/receipt-docs.ts';

/** What a server that issues receipts knows of them. */
export interface ReceiptSettings {
  /** The URL of the service, as the RFC 9728 metadata have it in `resource`. */
  readonly issuer: () => string;
  /** The longest time for which an offline receipt may hold, in milliseconds. */
  readonly maxAge: number;
}

const keys = '/admin/signing-keys';

/** Offline receipts, and the keys that sign all receipts. */
export function receiptRows(
  { issueOfflineReceipt, listSigningKeys, rotateSigningKeys, revokeSigningKey }: Administration,
  { issuer, maxAge }: ReceiptSettings,
): readonly AdminRow[] {
  return [
    {
      id: 'issueOfflineReceipt',
      method: 'POST',
      path: '/admin/entitlements/:id/receipts',
      access: 'admin:entitlements',
      body: 'optional json',
      docs: offlineReceiptDocs,
      answer: async ({ parameters: { id: entitlementId = '' }, body, call }) => {
        const expires = offlineAge(offlineReceiptBody.read(body).expires ?? null, maxAge);
        if (expires > maxAge) throw refuse('invalid_body', { message: tooLong });
        const issued = await issueOfflineReceipt({ entitlementId, expires, issuer: issuer() }, call);
        return { data: receiptView(issued), entitlementId };
      },
    },
    {
      id: 'listSigningKeys',
      method: 'GET',
      path: keys,
      access: 'admin:read',
      docs: listKeysDocs,
      answer: async ({ call }) => ({ data: (await listSigningKeys(call)).map(signingKeyView) }),
    },
    {
      id: 'rotateSigningKeys',
      method: 'POST',
      path: `${keys}/rotate`,
      access: 'admin:access',
      body: 'optional json',
      docs: rotateKeysDocs,
      answer: async ({ body, call }) => {
        const { from = null } = signingKeyRotationBody.read(body);
        return { data: (await rotateSigningKeys(from, call)).keys.map(signingKeyView) };
      },
    },
    {
      id: 'revokeSigningKey',
      method: 'POST',
      path: `${keys}/:kid/revoke`,
      access: 'admin:access',
      docs: revokeKeyDocs,
      answer: async ({ parameters: { kid = '' }, call }) => ({
        data: signingKeyView((await revokeSigningKey(kid, call)).key),
      }),
    },
  ];
}

const tooLong = 'expires must not be longer than the setting RECEIPT_MAX_AGE.';
