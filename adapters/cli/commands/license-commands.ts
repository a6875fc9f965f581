import type { Command } from 'commander';
import type { Call } from '../../../core/call.ts';
import { deviceIdRule, deviceNameRule } from '../../../core/device/device.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { offlineAge, offlineAgeRule, type OfflineReceiptRequest } from '../../../core/receipt/issue-offline-receipt.ts';
import type { IssuedReceipt } from '../../../core/receipt/issue-receipt.ts';
import { fullOutcome } from '../../administration/commands/entitlement/snapshot-view.ts';
import { dashArgument, filePathRule, optionName, valueOption } from '../input/options.ts';
import { keyOnStandardInput } from '../input/standard-input.ts';
import type { Output } from '../output/output.ts';
import { changeCommand } from '../run/change-command.ts';
import { runCommand, type Subject } from '../run/run-command.ts';
import { WrongValue } from '../shell/errors.ts';
import type { OpenAdministration, Shell } from '../shell/shell.ts';
import { outputOf } from './command-group.ts';

const entitlement: Subject = {
  member: 'id',
  argument: '<entitlement>',
  description: 'the id of the entitlement',
  rule: identifierRule,
};

export function addLicenseCommands(group: Command, shell: Shell): void {
  addReceipt(group, shell);

  group
    .command('find')
    .description('show the entitlement of a license key, even if the key is revoked')
    .addArgument(
      dashArgument(
        '<->',
        'reads the key from standard input',
        'The argument of license find must be "-": the key is read from standard input.',
      ),
    )
    .action(async (_dash: '-', _options: object, command: Command) => {
      const key = await keyOnStandardInput(shell);
      const call = shell.newCall();
      await runCommand(shell, command, call, async (store) =>
        outputOf(fullOutcome(await store.findByLicenseKey(key, call))),
      );
    });
}

interface ReceiptOptions {
  readonly id: string;
  readonly expires?: number;
  readonly deviceId?: string;
  readonly deviceName?: string;
  readonly out?: string;
}

function addReceipt(group: Command, shell: Shell): void {
  const command = group
    .command('receipt')
    .description('issue a signed receipt of the license of an entitlement, for a machine without a network')
    .addOption(
      valueOption(
        '--expires <duration>',
        'the longest time that it may hold (default: 365d, or RECEIPT_MAX_AGE if that is shorter)',
        offlineAgeRule,
      ),
    )
    .addOption(
      valueOption('--device-id <id>', 'the device that takes a seat, and to which the receipt is bound', deviceIdRule),
    )
    .addOption(valueOption('--device-name <name>', 'the name of the device in lists, with --device-id', deviceNameRule))
    .addOption(valueOption('--out <file>', 'a new file to write it to, instead of standard output', filePathRule));
  changeCommand<ReceiptOptions>(command, shell, {
    subjects: [entitlement],
    request: ({ id: entitlementId, expires = null, deviceId, deviceName = null, out }, call) => {
      if (deviceId === undefined && (deviceName ?? '') !== '')
        throw new WrongValue(optionName('deviceName'), nameAlone);
      const device = deviceId === undefined ? null : { deviceId, name: deviceName };
      return async (store) => {
        const longest = offlineAge(expires, store.receiptMaxAge);
        if (longest > store.receiptMaxAge) throw new WrongValue(optionName('expires'), tooLong);
        const request = { entitlementId, expires: longest, device, issuer: store.issuer };
        return out === undefined ? issue(store, request, call) : issueToFile(shell, store, request, out, call);
      };
    },
  });
}

const tooLong = 'must not be longer than the setting RECEIPT_MAX_AGE';
const nameAlone = 'needs --device-id';

async function issue(store: OpenAdministration, request: OfflineReceiptRequest, call: Call): Promise<ReceiptResult> {
  const issued = await store.issueOfflineReceipt(request, call);
  const { receipt, issuedAt, refreshAfter, expiresAt } = issued;
  return { json: { value: { receipt, issuedAt, refreshAfter, expiresAt } }, text: () => `${receipt}\n` };
}

interface ReceiptResult extends Output {
  readonly json: { readonly value: Omit<IssuedReceipt, 'entitlementId'> };
}

/** Creates the file first, so that no receipt is issued that cannot be kept. */
async function issueToFile(
  shell: Shell,
  store: OpenAdministration,
  request: OfflineReceiptRequest,
  path: string,
  call: Call,
): Promise<Output> {
  const file = await shell.createFile(path);
  try {
    const { json } = await issue(store, request, call);
    await file.write(`${json.value.receipt}\n`);
    return { json, text: () => `The receipt is written. It holds until ${json.value.expiresAt.toISOString()}.\n` };
  } catch (error) {
    await file.discard();
    throw error;
  }
}
