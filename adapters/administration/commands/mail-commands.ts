import { identifierRule } from '../../../core/identifier.ts';
import { addressPattern, maxAddressLength } from '../../../core/mail/mail-address.ts';
import type { ValueRule } from '../../../core/parsing/value-rule.ts';
import { command, type CommandGroup } from '../declaration/command.ts';
import { optional, required } from '../declaration/member.ts';

/** Any text: core refuses an invalid address, with a code of its own. */
export const mailedToRule: ValueRule<string> = {
  parse: (text) => (text === '' ? null : text),
  read: (member) => (typeof member === 'string' ? member : null),
  rule: 'must be an e-mail address',
};

/** The address that a mail is sent to. */
export const mailedTo = {
  ...required('--to <address>', 'the e-mail address', mailedToRule),
  schema: { type: 'string', format: 'email', maxLength: maxAddressLength, pattern: addressPattern },
};

export const mailCommands: CommandGroup = {
  name: 'mail',
  tag: { name: 'Mail', description: 'The mails to buyers.' },
  schemas: {},
  commands: [
    command({
      verb: 'test',
      does: 'send a mail, to see whether it arrives',
      operation: null,
      members: { to: mailedTo },
      hasBatch: false,
      log: { testMail: () => ({}) },
      run: async ({ testMail }, { to }, call) => ({ data: await testMail(to, call) }),
    }),
    command({
      verb: 'retry',
      does: 'send all failed mails again, including parked ones',
      operation: null,
      members: {},
      hasBatch: false,
      log: { retryMails: (mails) => (mails === 0 ? null : { mails }) },
      run: async ({ retryMails }, _members, call) => {
        const mails = await retryMails(call);
        return { data: { mails }, text: `${mails} due now.` };
      },
    }),
    command({
      verb: 'skip',
      does: 'leave out parked mails, which are then never sent',
      operation: null,
      members: {
        entitlementId: optional('--entitlement <id>', 'only those of this entitlement (default: all)', identifierRule),
      },
      hasBatch: false,
      log: {
        skipMails: (mails, entitlementId) =>
          mails === 0 ? null : { mails, ...(entitlementId !== null && { entitlementId }) },
      },
      run: async ({ skipMails }, { entitlementId }, call) => {
        const mails = await skipMails(entitlementId, call);
        return { data: { mails }, text: `${mails} skipped.` };
      },
    }),
  ],
};
