import type { Command } from 'commander';
import type { EntitlementDraft, ImportRefusal } from '../../core/entitlement/import-entitlements.ts';
import { GuessableKeys } from '../../core/license/guessable-keys.ts';
import { draftOfLine } from './entitlement-draft.ts';
import { importFile } from './import-command.ts';
import type { ReadLine } from './import-run.ts';
import { readJsonLines } from './json-lines.ts';
import { refusalSentence } from './refusal-sentences.ts';
import type { Shell } from './shell.ts';

/** What is wrong with a line, in the words of its members; null for what a command says as well. */
const sentences: Readonly<Record<ImportRefusal, string | null>> = {
  product_not_found: 'productId must be that of a product; add it first.',
  period_end_too_early: 'currentPeriodEnd must be later than currentPeriodStart.',
  entitlement_exists: null,
  license_key_exists: null,
  license_key_length: null,
};

export function addImportCommand(group: Command, shell: Shell): void {
  group
    .command('import')
    .description('add entitlements with the keys that their buyers have, and create the store if there is none')
    .argument('<file>', 'one entitlement a line, as JSON; "-" for standard input')
    .option('--dry-run', 'only check the lines')
    .action(async (path: string, { dryRun }: { readonly dryRun?: true }, command: Command) => {
      const keys = new GuessableKeys();
      try {
        await importFile<EntitlementDraft>(shell, command, path, dryRun === true, {
          read: (content) => noting(keys, readJsonLines(content, draftOfLine)),
          store: async (store, drafts, call) => {
            const outcomes = await store.importEntitlements(drafts, call);
            return outcomes.map((outcome) => (outcome.kind === 'imported' ? null : sentenceOf(outcome.code)));
          },
          change: (entitlements) => ({ command: 'entitlement import', entitlements }),
        });
      } finally {
        if (keys.count > 0) shell.stderr.write(`${warning(keys.count)}\n`);
      }
    });
}

async function* noting(
  keys: GuessableKeys,
  lines: AsyncIterable<ReadLine<EntitlementDraft>>,
): AsyncIterable<ReadLine<EntitlementDraft>> {
  for await (const line of lines) {
    if (line.kind === 'draft' && line.draft.licenseKey !== null) keys.note(line.draft.licenseKey);
    yield line;
  }
}

function sentenceOf(code: ImportRefusal): string {
  return sentences[code] ?? refusalSentence(code) ?? code;
}

function warning(count: number): string {
  return `Warning: ${count} license keys are a common prefix and digits, so that others could be guessed; rotate them.`;
}
