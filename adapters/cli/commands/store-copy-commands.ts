import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Comparison, Difference } from '../../../core/copy/compare-stores.ts';
import type { CopyProgress } from '../../../core/copy/copy-store.ts';
import type { CommonOptions } from '../run/run-command.ts';
import { CommandFailed } from '../shell/errors.ts';
import { print } from '../output/output.ts';
import type { Shell, StorePair, StoreUrls } from '../shell/shell.ts';

interface CopyOptions extends StoreUrls {
  readonly resume?: boolean;
}

/** Adds what concerns two stores to the commands about the store. */
export function addStoreCopyCommands(group: Command, shell: Shell): void {
  withUrls(group.command('copy'))
    .description('copy everything from one store to another, records included, and compare them')
    .option('--resume', 'go on with a copy that was begun, or bring one up to date')
    .action(async ({ resume = false, ...urls }: CopyOptions, command: Command) => {
      const comparison = await withPair(shell, urls, { create: true }, ({ copy }) =>
        withBar(shell, (progress) => copy({ resume }, () => shell.newCall(), progress)),
      );
      if (comparison.written > 0) shell.log({ command: 'store copy', entries: comparison.written });
      await report(comparison, shell, command);
    });

  withUrls(group.command('compare'))
    .description('compare everything that two stores keep')
    .action(async (urls: StoreUrls, command: Command) => {
      const compare = ({ compare: all }: StorePair): Promise<Comparison> => all(() => shell.newCall());
      await report(await withPair(shell, urls, { create: false }, compare), shell, command);
    });
}

function withUrls(command: Command): Command {
  return command
    .requiredOption('--from <url>', 'the store to read: sqlite:PATH or mongodb://HOST/DATABASE')
    .requiredOption('--to <url>', 'the other store');
}

async function withPair<T>(
  shell: Shell,
  urls: StoreUrls,
  may: { readonly create: boolean },
  work: (pair: StorePair) => Promise<T>,
): Promise<T> {
  const pair = await shell.openStorePair(urls, may, shell.newCall());
  try {
    return await work(pair);
  } finally {
    await pair.close();
  }
}

/** A progress bar on a terminal, and nothing anywhere else. */
async function withBar<T>({ stderr }: Shell, work: (progress: CopyProgress) => Promise<T>): Promise<T> {
  if (stderr.isTTY !== true) return work(() => undefined);
  const bar = new SingleBar({ stream: stderr, format: '{bar} {percentage} %, {eta_formatted} left', hideCursor: true });
  bar.start(1, 0);
  try {
    return await work((done, total) => {
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    bar.stop();
  }
}

async function report(comparison: Comparison, shell: Shell, command: Command): Promise<void> {
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  const { entries, differences, first } = comparison;
  const same = differences === 0;
  const text = (): string => (same ? `the same: ${entries}\n` : first.map((one) => `${lineOf(one)}\n`).join(''));
  await print({ json: { value: { same, entries, differences, first } }, text }, json, shell);
  if (!same) {
    throw new CommandFailed(
      `The stores differ in ${differences} places. If the source was changed meanwhile, stop what writes to it and run again with --resume.`,
    );
  }
}

function lineOf({ section, kind, id }: Difference): string {
  return `${names[section]}${id === null ? '' : ` ${id}`}: ${words[kind]}`;
}

const names: Readonly<Record<Difference['section'], string>> = {
  products: 'product',
  appKeys: 'app key with the digest',
  entitlements: 'entitlement',
  listings: 'listing',
  signUps: 'an entry of the waitlist',
};

const words: Readonly<Record<Difference['kind'], string>> = {
  missing: 'only in the store to read',
  surplus: 'only in the other store',
  different: 'not alike',
};
