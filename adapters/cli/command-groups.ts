import type { Command } from 'commander';
import type { CommandGroup as DeclaredGroup } from '../administration/declaration/command.ts';
import type { Shell } from './shell/shell.ts';

/** Commands about one thing, such as `product add` and `product list`. */
interface CommandGroup {
  readonly description: string;
  /** Loads the code that adds the commands, which no other command line needs. */
  readonly load: () => Promise<AddCommands>;
}

type AddCommands = (group: Command, shell: Shell) => void;

/** Adds declared commands, and others. `order` is that of the help; commands that it does not name follow. */
async function declared(
  order: string,
  loading: Promise<DeclaredGroup>,
  others?: Promise<AddCommands>,
): Promise<AddCommands> {
  const { addCommandGroup, sortCommands } = await import('./commands/command-group.ts');
  const commands = await loading;
  const addOthers = await others;
  return (group, shell) => {
    addCommandGroup(commands, group, shell);
    addOthers?.(group, shell);
    sortCommands(group, order);
  };
}

/** The groups by their names, in the order of the help. */
export const commandGroups: Readonly<Record<string, CommandGroup>> = {
  config: {
    description: 'check and print the settings',
    load: async () => (await import('./commands/server-commands.ts')).addConfigCommands,
  },
  texts: {
    description: 'print the texts of the pages and mails for buyers, which SITE_TEXTS_FILE replaces',
    load: async () => (await import('./commands/server-commands.ts')).addTextCommands,
  },
  product: {
    description: 'add and list products, which app keys and entitlements belong to',
    load: () =>
      declared(
        'add list',
        import('../administration/commands/product-commands.ts').then((all) => all.productCommands),
      ),
  },
  tier: {
    description: 'say what the tiers of products allow: features, and how many devices',
    load: () =>
      declared(
        'put list show delete',
        import('../administration/commands/tier-commands.ts').then((all) => all.tierCommands),
      ),
  },
  trial: {
    description: 'list, extend and end the trials that apps have started',
    load: () =>
      declared(
        'list show extend end',
        import('../administration/commands/trial-commands.ts').then((all) => all.trialCommands),
      ),
  },
  key: {
    description: "issue and revoke app keys, the credentials of merchants' servers",
    load: () =>
      declared(
        'issue list revoke rotate',
        import('../administration/commands/key/key-commands.ts').then((all) => all.appKeyCommands),
      ),
  },
  operator: {
    description: 'issue and revoke operator keys, the credentials of systems that administer over HTTP',
    load: () =>
      declared(
        'issue list revoke rotate',
        import('../administration/commands/key/key-commands.ts').then((all) => all.operatorCommands),
      ),
  },
  entitlement: {
    description: 'grant, import, show and change entitlements',
    load: () =>
      declared(
        'grant import show list history renew change-tier allow cancel resume past-due suspend reinstate revoke',
        import('../administration/commands/entitlement/entitlement-commands.ts').then((all) => all.entitlementCommands),
        import('./commands/grant-command.ts').then((all) => all.addGrantAndImport),
      ),
  },
  device: {
    description: 'list and release the devices that have seats of an entitlement',
    load: () =>
      declared(
        'list release clear',
        import('../administration/commands/entitlement/device-commands.ts').then((all) => all.deviceCommands),
      ),
  },
  license: {
    description: "rotate, revoke and find licenses, the buyers' keys to entitlements, and issue receipts of them",
    load: () =>
      declared(
        '',
        import('../administration/commands/entitlement/license-commands.ts').then((all) => all.licenseCommands),
        import('./commands/license-commands.ts').then((all) => all.addLicenseCommands),
      ),
  },
  mail: {
    description: 'try the mails to buyers, and send again what has failed',
    load: () =>
      declared(
        '',
        import('../administration/commands/mail-commands.ts').then((all) => all.mailCommands),
      ),
  },
  'signing-key': {
    description: 'list, rotate, revoke and export the keys that sign receipts',
    load: () =>
      declared(
        '',
        import('../administration/commands/signing-key-commands.ts').then((all) => all.signingKeyCommands),
      ),
  },
  listing: {
    description: 'import, publish, pause and delete the listings of the public catalog',
    load: () =>
      declared(
        'import export list pause publish delete',
        import('../administration/commands/listing-commands.ts').then((all) => all.listingCommands),
        import('./commands/listing-commands.ts').then((all) => all.addListingCommands),
      ),
  },
  affiliate: {
    description: 'invite, show and end affiliates, who sell listed products for a commission',
    load: () =>
      declared(
        'add list show set link end erase',
        import('../administration/commands/affiliate-commands.ts').then((all) => all.affiliateCommands),
      ),
  },
  promotion: {
    description: 'agree with affiliates on what they earn for a listing',
    load: () =>
      declared(
        'put list approve end',
        import('../administration/commands/promotion-commands.ts').then((all) => all.promotionCommands),
      ),
  },
  sale: {
    description: 'show and correct whose sale it is, and what affiliates earn',
    load: () =>
      declared(
        'show list put void restore assign',
        import('../administration/commands/sale-commands.ts').then((all) => all.saleCommands),
      ),
  },
  statement: {
    description: 'close months, and record what affiliates were paid',
    load: () =>
      declared(
        'close list show export paid unpaid',
        import('../administration/commands/statement/statement-commands.ts').then((all) => all.statementCommands),
        import('./commands/statement-commands.ts').then((all) => all.addStatementCommands),
      ),
  },
  waitlist: {
    description: 'export and erase sign-ups for the waitlist',
    load: () =>
      declared(
        'export erase',
        import('../administration/commands/waitlist-commands.ts').then((all) => all.waitlistCommands),
        import('./commands/waitlist-commands.ts').then((all) => all.addWaitlistCommands),
      ),
  },
  webhook: {
    description: 'add and manage webhook endpoints, the URLs that events are delivered to',
    load: () =>
      declared(
        'add list show',
        import('../administration/commands/webhook/webhook-commands.ts').then((all) => all.webhookCommands),
      ),
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
