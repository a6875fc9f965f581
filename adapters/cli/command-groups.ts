import type { Command } from 'commander';
import type { CommandGroup as DeclaredGroup } from '../administration/declaration/command.ts';
import type { Shell } from './shell/shell.ts';

/** Commands about one thing, such as `product add` and `product list`. */
interface CommandGroup {
  readonly description: string;
  /** The order of its commands in the help. Those that it does not name follow. */
  readonly order?: string;
  /** Loads the code that adds the commands, which no other command line needs. */
  readonly load: () => Promise<AddCommands>;
}

type AddCommands = (group: Command, shell: Shell) => void;

/** Adds declared commands. */
async function declared(loading: Promise<DeclaredGroup>): Promise<AddCommands> {
  const { addCommandGroup } = await import('./commands/command-group.ts');
  const commands = await loading;
  return (group, shell) => addCommandGroup(commands, group, shell);
}

/** The groups by their names, in the order of the help. */
export const commandGroups: Readonly<Record<string, CommandGroup>> = {
  config: {
    description: 'check and print the settings',
    load: async () => (await import('./commands/server-commands.ts')).addConfigCommands,
  },
  product: {
    description: 'add and list products, which app keys and entitlements belong to',
    load: async () => (await import('./commands/product-commands.ts')).addProductCommands,
  },
  key: {
    description: "issue and revoke app keys, the credentials of merchants' servers",
    order: 'issue list revoke rotate',
    load: () =>
      declared(import('../administration/commands/key-commands.ts').then(({ appKeyCommands }) => appKeyCommands)),
  },
  operator: {
    description: 'issue and revoke operator keys, the credentials of systems that administer over HTTP',
    order: 'issue list revoke rotate',
    load: () =>
      declared(import('../administration/commands/key-commands.ts').then(({ operatorCommands }) => operatorCommands)),
  },
  entitlement: {
    description: 'grant, import, show and change entitlements',
    load: async () => (await import('./commands/entitlement-commands.ts')).addEntitlementCommands,
  },
  license: {
    description: "rotate, revoke and find licenses, the buyers' keys to entitlements, and issue receipts of them",
    load: async () => (await import('./commands/license-commands.ts')).addLicenseCommands,
  },
  'signing-key': {
    description: 'list, rotate, revoke and export the keys that sign receipts',
    load: async () => (await import('./commands/signing-key-commands.ts')).addSigningKeyCommands,
  },
  listing: {
    description: 'import, publish, pause and delete the listings of the public catalog',
    load: async () => (await import('./commands/listing-commands.ts')).addListingCommands,
  },
  waitlist: {
    description: 'export and erase sign-ups for the waitlist',
    load: async () => (await import('./commands/waitlist-commands.ts')).addWaitlistCommands,
  },
  webhook: {
    description: 'add and manage webhook endpoints, the URLs that events are delivered to',
    order: 'add list show',
    load: () =>
      declared(import('../administration/commands/webhook-commands.ts').then(({ webhookCommands }) => webhookCommands)),
  },
  stripe: {
    description: 'map the prices of Stripe, and compare the store with Stripe',
    load: async () => (await import('./commands/stripe/stripe-commands.ts')).addStripeCommands,
  },
  store: {
    description: 'check, back up, copy and maintain the store',
    load: async () => (await import('./commands/store-commands.ts')).addStoreCommands,
  },
};
