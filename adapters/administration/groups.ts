import { affiliateCommands } from './commands/affiliate-commands.ts';
import { deviceCommands } from './commands/entitlement/device-commands.ts';
import { entitlementCommands } from './commands/entitlement/entitlement-commands.ts';
import { licenseCommands } from './commands/entitlement/license-commands.ts';
import { appKeyCommands, operatorCommands } from './commands/key/key-commands.ts';
import { listingCommands } from './commands/listing-commands.ts';
import { mailCommands } from './commands/mail-commands.ts';
import { priceCommands } from './commands/price-commands.ts';
import { productCommands } from './commands/product-commands.ts';
import { promotionCommands } from './commands/promotion-commands.ts';
import { saleCommands } from './commands/sale-commands.ts';
import { signingKeyCommands } from './commands/signing-key-commands.ts';
import { statementCommands, statementLineCommands } from './commands/statement/statement-commands.ts';
import { caseCommands } from './commands/stripe-commands.ts';
import { tierCommands } from './commands/tier-commands.ts';
import { trialCommands } from './commands/trial-commands.ts';
import { waitlistCommands } from './commands/waitlist-commands.ts';
import { webhookCommands } from './commands/webhook/webhook-commands.ts';
import { linesOf, type CommandGroup } from './declaration/command.ts';

/** Every group of declared commands, in the order of the document. */
export const declaredGroups: readonly CommandGroup[] = [
  productCommands,
  tierCommands,
  priceCommands,
  caseCommands,
  appKeyCommands,
  entitlementCommands,
  deviceCommands,
  trialCommands,
  licenseCommands,
  mailCommands,
  signingKeyCommands,
  listingCommands,
  affiliateCommands,
  promotionCommands,
  saleCommands,
  statementCommands,
  statementLineCommands,
  waitlistCommands,
  operatorCommands,
  webhookCommands,
];

/** The log lines of all of them. */
export const declaredLines = Object.assign({}, ...declaredGroups.map(linesOf)) as ReturnType<typeof linesOf>;
