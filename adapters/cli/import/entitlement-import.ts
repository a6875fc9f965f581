import type { Command } from 'commander';
import type {
  EntitlementDraft,
  ImportEntitlements,
  ImportRefusal,
} from '../../../core/entitlement/administration/import-entitlements.ts';
import { GuessableKeys } from '../../../core/license/guessable-keys.ts';
import { draftOfLine } from './entitlement-draft.ts';
import { importFile, type TakeDrafts } from './import-command.ts';
import { readJsonLines } from '../input/json-lines.ts';
import { refusalMessage } from '../output/refusal-messages.ts';
import type { Shell } from '../shell/shell.ts';

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
    .option('--dry-run', 'say what an import would, and change nothing')
    .action(async (path: string, { dryRun }: { readonly dryRun?: true }, command: Command) => {
      const keys = new GuessableKeys();
      try {
        await importFile<EntitlementDraft>(shell, command, path, dryRun === true, {
          read: (content) => readJsonLines(content, draftOfLine),
          begin: (store, isDry) => taking(isDry ? store.dryRunOfEntitlements() : store.importEntitlements, keys),
          change: (entitlements) => ({ command: 'entitlement import', entitlements }),
        });
      } finally {
        if (keys.count > 0) shell.stderr.write(`${warning(keys.count)}\n`);
      }
    });
}

/** Notes the keys of what is imported, and of nothing else. */
function taking(importAll: ImportEntitlements, keys: GuessableKeys): TakeDrafts<EntitlementDraft> {
  return async (drafts, call) => {
    const outcomes = await importAll(drafts, call);
    return outcomes.map((outcome, position) => {
      if (outcome.kind === 'refused') return sentenceOf(outcome.code);
      const key = drafts[position]?.licenseKey ?? null;
      if (key !== null) keys.note(key);
      return null;
    });
  };
}

function sentenceOf(code: ImportRefusal): string {
  return sentences[code] ?? refusalMessage(code) ?? code;
}

function warning(count: number): string {
  return `Warning: ${count} license keys are a common prefix and digits, so that others could be guessed; rotate them.`;
}
