import type { Command } from 'commander';
import { emailAddressRule, type SignUp } from '../../../core/waitlist/sign-up.ts';
import { changeCommand } from '../run/change-command.ts';
import type { Shell } from '../shell/shell.ts';
import { addExportCommand } from './export-command.ts';

const columns = ['email', 'name', 'handle', 'role', 'at'] as const satisfies readonly (keyof SignUp)[];

export function addWaitlistCommands(group: Command, shell: Shell): void {
  addExportCommand(group, shell, {
    description: 'write all entries to standard output',
    columns,
    defaultFormat: 'csv',
    list: (store, newCall) => store.everySignUp(newCall),
  });

  changeCommand(group.command('erase').description('erase the entry of an e-mail address'), shell, {
    subject: {
      member: 'email',
      argument: '<email>',
      description: 'the e-mail address, in any case',
      rule: emailAddressRule,
    },
    request: (email, _options, call) => async (store) => {
      const erased = await store.eraseFromWaitlist(email, call);
      return {
        json: { value: { erased } },
        text: () => (erased === 1 ? 'Erased.\n' : 'There is no such entry.\n'),
      };
    },
  });
}
