import type { Administration } from '../../../../core/administration/administration.ts';
import type { ReceiptSettings } from '../../../../core/receipt/issue-offline-receipt.ts';
import { signingKeyCommands } from '../../../administration/commands/signing-key-commands.ts';
import { declaredGroups } from '../../../administration/groups.ts';
import type { OperatorOperation } from '../operation.ts';
import { adminOperation } from './admin-operation.ts';
import { rowsOf } from './command-rows.ts';
import { receiptRows } from './receipt-operations.ts';

/** The table of the administration. `receipts` is null for a server that issues none. */
export function administrationOperations(
  administration: Administration,
  receipts: ReceiptSettings | null,
): readonly OperatorOperation[] {
  const rows = declaredGroups.flatMap((group) => {
    const own = rowsOf(group, administration);
    if (group !== signingKeyCommands) return own;
    return receipts === null ? [] : [...receiptRows(administration, receipts), ...own];
  });
  return rows.map(adminOperation);
}
