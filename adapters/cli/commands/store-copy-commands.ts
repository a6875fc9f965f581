import type { Command } from 'commander';
import type { Comparison, Difference } from '../../../core/copy/compare-stores.ts';
import type { CopyProgress } from '../../../core/copy/copy-store.ts';
import { addAddressOptions, storeAddress, type AddressOptions } from '../input/store-address.ts';
import { print } from '../output/output.ts';
import { startProgressBar } from '../output/progress-bar.ts';
import { CommandFailed } from '../shell/errors.ts';
import type { Shell, StorePair } from '../shell/shell.ts';

interface CopyOptions extends AddressOptions {
  readonly resume?: boolean;
}

/** Adds the commands that read two stores. */
export function addStoreCopyCommands(group: Command, shell: Shell): void {
  withAddresses(group.command('copy'))
    .description('copy everything from one store to another, idempotency records included, and compare them')
    .option('--resume', 'continue an unfinished copy, or bring a finished one up to date')
    .action(async ({ resume = false, ...options }: CopyOptions, command: Command) => {
      const comparison = await withPair(shell, options, { create: true }, ({ copy }) =>
        withProgressBar(shell, (progress) => copy({ resume }, () => shell.newCall(), progress)),
      );
      if (comparison.written > 0) shell.log({ command: 'store copy', entries: comparison.written });
      await report(comparison, shell, command);
    });

  withAddresses(group.command('compare'))
    .description('compare everything in two stores')
    .action(async (options: AddressOptions, command: Command) => {
      const compare = ({ compare: all }: StorePair): Promise<Comparison> => all(() => shell.newCall());
      await report(await withPair(shell, options, { create: false }, compare), shell, command);
    });
}

function withAddresses(command: Command): Command {
  addAddressOptions(command, 'from', 'the store to read');
  return addAddressOptions(command, 'to', 'the other store');
}

async function withPair<T>(
  shell: Shell,
  options: AddressOptions,
  missing: { readonly create: boolean },
  work: (pair: StorePair) => Promise<T>,
): Promise<T> {
  const urls = { from: await storeAddress('from', options, shell), to: await storeAddress('to', options, shell) };
  const pair = await shell.openStorePair(urls, missing, shell.newCall());
  try {
    return await work(pair);
  } finally {
    await pair.close();
  }
}

async function withProgressBar<T>(shell: Shell, work: (progress: CopyProgress) => Promise<T>): Promise<T> {
  const bar = await startProgressBar(shell, 1);
  try {
    return await work((done, total) => bar?.update(done, total));
  } finally {
    bar?.stop();
  }
}

async function report(comparison: Comparison, shell: Shell, command: Command): Promise<void> {
  const { entries, differences, first } = comparison;
  const same = differences === 0;
  const text = (): string => (same ? `the same: ${entries}\n` : first.map((one) => `${lineOf(one)}\n`).join(''));
  await print({ json: { value: { same, entries, differences, first } }, text }, command, shell);
  if (!same) {
    throw new CommandFailed(
      'stores_differ',
      `The stores differ in ${differences} places. If the source was changed meanwhile, stop what writes to it and run again with --resume.`,
    );
  }
}

function lineOf({ section, kind, id }: Difference): string {
  return `${names[section]}${id === null ? '' : ` ${id}`}: ${kinds[kind]}`;
}

const names: Readonly<Record<Difference['section'], string>> = {
  products: 'product',
  tiers: 'tier',
  trials: 'trial',
  prices: 'price',
  appKeys: 'app key with the digest',
  operatorKeys: 'operator key with the digest',
  entitlements: 'entitlement',
  devices: 'device',
  affiliates: 'affiliate',
  promotions: 'promotion',
  sales: 'sale of the entitlement',
  statements: 'statement',
  listings: 'listing',
  signUps: 'an entry of the waitlist',
  events: 'event',
  webhookEndpoints: 'webhook endpoint',
  deliveryStreams: 'deliveries of the endpoint and product',
  waitingDeliveries: 'waiting delivery of the endpoint, product and entitlement',
  signingKeys: 'the signing keys of',
  licenseSecrets: 'the license secret of',
};

const kinds: Readonly<Record<Difference['kind'], string>> = {
  missing: 'only in the store to read',
  surplus: 'only in the other store',
  different: 'different',
};
