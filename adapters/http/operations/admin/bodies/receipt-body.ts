import { offlineAgeRule } from '../../../../../core/receipt/issue-offline-receipt.ts';
import { requestBody } from './request-body.ts';

/** The body of a request for an offline receipt. */
export const offlineReceiptBody = requestBody({ expires: offlineAgeRule }, [], {
  expires:
    '365d by default, or `RECEIPT_MAX_AGE` if that is shorter. At least `1s`, and not longer than `RECEIPT_MAX_AGE`.',
});
