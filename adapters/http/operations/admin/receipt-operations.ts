import type { Administration } from '../../../../core/administration/administration.ts';
import { offlineAge, type ReceiptSettings } from '../../../../core/receipt/issue-offline-receipt.ts';
import { refuse } from '../../refusals.ts';
import { receiptView } from '../views.ts';
import type { AdminRow } from './admin-operation.ts';
import { offlineReceiptBody } from './bodies/receipt-body.ts';
import { pathParameter, receipts } from './docs/admin-docs.ts';

/** Offline receipts. How long they may hold is a setting, so they are no declared command. */
export function receiptRows(
  { issueOfflineReceipt }: Administration,
  { issuer, maxAge }: ReceiptSettings,
): readonly AdminRow[] {
  return [
    {
      id: 'issueOfflineReceipt',
      method: 'POST',
      path: '/admin/entitlements/:id/receipts',
      access: 'admin:entitlements',
      body: 'optional json',
      docs: {
        tag: receipts,
        summary: 'Issue a signed receipt for a machine that may never have a network.',
        description:
          'It ends after `expires` (365d by default), but not later than the access of the entitlement as it is now. It cannot be recalled. Each request makes another receipt. With a `deviceId`, the device takes a seat, which only an operator can release until the receipt ends.',
        parameters: [pathParameter('id', 'The id of the entitlement.')],
        request: { schema: 'OfflineReceiptRequest', example: { expires: '365d' } },
        success: { description: 'The receipt.', schema: 'IssuedReceiptAnswer' },
        refusals: [
          'entitlement_not_found',
          'license_not_found',
          'no_access',
          'device_limit',
          'clock_not_trusted',
          'changed_meanwhile',
        ],
      },
      answer: async ({ parameters: { id: entitlementId = '' }, body, call }) => {
        const { expires: given = null, deviceId, deviceName = null } = offlineReceiptBody.read(body);
        const expires = offlineAge(given, maxAge);
        if (expires > maxAge) throw refuse('invalid_body', { message: tooLong });
        if (deviceId === undefined && (deviceName ?? '') !== '') throw refuse('invalid_body', { message: nameAlone });
        const device = deviceId === undefined ? null : { deviceId, name: deviceName };
        const issued = await issueOfflineReceipt({ entitlementId, expires, device, issuer: issuer() }, call);
        return { data: receiptView(issued), entitlementId };
      },
    },
  ];
}

const tooLong = 'expires must not be longer than the setting RECEIPT_MAX_AGE.';
const nameAlone = 'deviceName needs a deviceId.';
