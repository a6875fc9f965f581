import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { codeOf } from './support/imports.ts';

const root = join(import.meta.dirname, '..');

/**
 * Why a module may be imported late. The folder of the program may go while a server runs, such as in an upgrade in place;
 * then a late import fails, and works again once the folder is back.
 */
interface LateImports {
  /** Before the process serves. It does not start without them. */
  readonly start?: readonly string[];
  /** By a command, in a process of its own. */
  readonly command?: readonly string[];
  /** At the first use in a server: that use fails, and the next one imports them again (`keptPromise`). */
  readonly 'first use'?: readonly string[];
  /** They are parts of Node, and no files. */
  readonly Node?: readonly string[];
}

const reasons = ['start', 'command', 'first use', 'Node'] as const;

const allowed: Readonly<Record<string, LateImports>> = {
  'adapters/cli/command-groups.ts': {
    command: [
      './commands/command-group.ts',
      './commands/server-commands.ts',
      '../administration/commands/product-commands.ts',
      '../administration/commands/tier-commands.ts',
      '../administration/commands/trial-commands.ts',
      '../administration/commands/key/key-commands.ts',
      '../administration/commands/entitlement/entitlement-commands.ts',
      './commands/grant-command.ts',
      '../administration/commands/entitlement/device-commands.ts',
      '../administration/commands/entitlement/license-commands.ts',
      './commands/license-commands.ts',
      '../administration/commands/mail-commands.ts',
      '../administration/commands/signing-key-commands.ts',
      '../administration/commands/listing-commands.ts',
      './commands/listing-commands.ts',
      '../administration/commands/affiliate-commands.ts',
      '../administration/commands/promotion-commands.ts',
      '../administration/commands/sale-commands.ts',
      '../administration/commands/statement/statement-commands.ts',
      './commands/statement-commands.ts',
      '../administration/commands/waitlist-commands.ts',
      './commands/waitlist-commands.ts',
      '../administration/commands/webhook/webhook-commands.ts',
      './commands/stripe/stripe-commands.ts',
      './commands/store-commands.ts',
    ],
  },
  'adapters/cli/moving/entitlement-import-command.ts': {
    command: ['./import-sold.ts'],
  },
  'adapters/cli/output/progress-bar.ts': {
    command: ['cli-progress'],
  },
  'adapters/cli/output/table.ts': {
    command: ['string-width'],
  },
  'adapters/cli/run/change-command.ts': {
    command: ['./batch.ts'],
  },
  'adapters/sqlite/maintenance/backup.ts': {
    Node: ['node:crypto'],
  },
  'adapters/sqlite/maintenance/restore.ts': {
    Node: ['node:crypto'],
  },
  'adapters/stripe/client/create-stripe.ts': {
    'first use': ['stripe'],
  },
  'app/main.js': {
    start: ['./program.ts'],
  },
  'app/receivers/ask-for-keys.ts': {
    start: ['./create-lost-keys.ts', './create-asked-links.ts'],
  },
  'app/restore-store.ts': {
    command: ['../adapters/sqlite/maintenance/restore.ts'],
  },
  'app/server/admin-port.ts': {
    start: ['./pages/console-operations.ts'],
  },
  'app/server/deliveries.ts': {
    start: ['./stripe-deliveries.ts', '../receivers/mail-deliveries.ts'],
  },
  'app/server/http-port.ts': {
    start: [
      '../../adapters/http/exchange/trusted-proxies.ts',
      '../../adapters/http/exchange/rate-limiter.ts',
      '../../adapters/http/limits/limit-counts.ts',
    ],
  },
  'app/server/public-port.ts': {
    start: ['./pages/page-operations.ts', './stripe-service.ts', './stripe/stripe-operations.ts'],
  },
  'app/server/server.ts': {
    start: ['./admin-port.ts'],
  },
  'app/server/serving-process.ts': {
    start: ['./measure.ts'],
  },
  'app/server/stripe/buyer-addresses.ts': {
    'first use': [
      '../../../adapters/stripe/client/create-stripe.ts',
      '../../../adapters/stripe/mail/stripe-addresses.ts',
    ],
  },
  'app/server/stripe/reads-at-stripe.ts': {
    'first use': [
      '../../../adapters/stripe/sale/read-at-stripe.ts',
      '../../../adapters/stripe/client/create-stripe.ts',
    ],
  },
  'app/service/logger.ts': {
    start: ['pino-pretty'],
  },
  'app/service/mail.ts': {
    'first use': [
      '../../adapters/mail/smtp-mail-sender.ts',
      '../../adapters/mail/smtp-name.ts',
      '../../adapters/web/mail/mail-writer.ts',
      '../../adapters/web/markup/words.ts',
    ],
  },
  'app/service/platform.ts': {
    'first use': ['../../adapters/http/webhooks/address-guard.ts', '../../adapters/http/webhooks/webhook-sender.ts'],
  },
  'app/service/process.ts': {
    start: ['./logger.ts'],
  },
  'app/shell.ts': {
    command: [
      './stores/open-store.ts',
      '../core/administration/administration.ts',
      './service/platform.ts',
      './stripe-commands.ts',
      './restore-store.ts',
      './demo/demo.ts',
    ],
    start: [
      './server/serve.ts',
      './workers/serve-with-workers.ts',
      '../adapters/http/server/listen.ts',
      '../adapters/stripe/client/create-stripe.ts',
    ],
  },
  'app/stores/open-store.ts': {
    start: [
      '../../adapters/sqlite/open-sqlite-store.ts',
      '../../adapters/mongo/open-mongo-store.ts',
      '../../adapters/memory/open-memory-store.ts',
    ],
    command: [
      '../../adapters/mongo/driver/address.ts',
      '../../adapters/mongo/open-mongo-database.ts',
      '../../core/copy/copy-store.ts',
      '../../core/copy/compare-stores.ts',
    ],
  },
  'app/workers/serve-with-workers.ts': {
    start: ['../server/admin-port.ts', '../../adapters/metrics/merged-metrics.ts'],
  },
  'app/workers/worker.js': {
    start: ['./worker-process.ts'],
  },
};

const form = /\bimport\(\s*(?:'([^']+)'|[^])/g;

/** The modules that a source imports late; "computed" where no text names one. Types are imported by nothing. */
function lateImportsOf(source: string): readonly string[] {
  const code = codeOf(source).replaceAll(/\btypeof import\(/g, '');
  return [...new Set([...code.matchAll(form)].map(([, specifier = 'computed']) => specifier))].toSorted();
}

describe('late imports', () => {
  it('are those that have a reason', () => {
    const sources = globSync('{core,adapters,app,client,testing}/**/*.{ts,js}', {
      cwd: root,
      exclude: ['client/dist/**', 'adapters/web/assets/**'],
    });
    const found = sources.flatMap((file) => {
      const late = lateImportsOf(readFileSync(join(root, file), 'utf8'));
      return late.length === 0 ? [] : [[file, late] as const];
    });
    const listed = Object.entries(allowed).map(([file, late]) => [
      file,
      reasons.flatMap((reason) => late[reason] ?? []).toSorted(),
    ]);
    expect(Object.fromEntries(found)).to.deep.equal(Object.fromEntries(listed));
  });

  it('would be seen where they are new, or where no text names the module', () => {
    const source =
      "// import('none')\ntype T = typeof import('t');\nawait import('a');\nvoid import(\n  'b'\n);\nimport(c);";
    expect(lateImportsOf(source)).to.deep.equal(['a', 'b', 'computed']);
  });
});
