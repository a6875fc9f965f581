import type { Administration } from '../../../../core/administration/administration.ts';
import { appKeyCommands, operatorCommands } from '../../../administration/commands/key-commands.ts';
import { webhookCommands } from '../../../administration/commands/webhook-commands.ts';
import type { OperatorOperation } from '../operation.ts';
import { adminOperation } from './admin-operation.ts';
import { rowsOf } from './command-rows.ts';
import { entitlementChangeRows } from './entitlement-change-operations.ts';
import { entitlementRows } from './entitlement-operations.ts';
import { licenseRows } from './license-operations.ts';
import { listingRows } from './listing-operations.ts';
import { priceRows } from './price-operations.ts';
import { productRows } from './product-operations.ts';
import { receiptRows, type ReceiptSettings } from './receipt-operations.ts';
import { waitlistRows } from './waitlist-operations.ts';

/** The table of the administration. `receipts` is null for a server that issues none. */
export function administrationOperations(
  administration: Administration,
  receipts: ReceiptSettings | null,
): readonly OperatorOperation[] {
  const rows = [
    ...productRows(administration),
    ...priceRows(administration),
    ...rowsOf(appKeyCommands, administration),
    ...entitlementRows(administration),
    ...entitlementChangeRows(administration),
    ...licenseRows(administration),
    ...(receipts === null ? [] : receiptRows(administration, receipts)),
    ...listingRows(administration),
    ...waitlistRows(administration),
    ...rowsOf(operatorCommands, administration),
    ...rowsOf(webhookCommands, administration),
  ];
  return rows.map(adminOperation);
}
