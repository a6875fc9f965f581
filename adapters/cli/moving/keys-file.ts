import type { EntitlementDraft } from '../../../core/entitlement/administration/import-entitlements.ts';
import { errorOf } from '../import/entitlement-import.ts';
import type { Import } from '../import/import-command.ts';
import type { NewFile, Shell } from '../shell/shell.ts';

/** The members of an entitlement in the file. */
interface Keyed {
  readonly id: string;
  readonly reference?: string | null;
  readonly licenseKey?: string | null;
}

/** The only copy of keys that were made, one JSON object a line. */
export class KeysFile {
  readonly #file: NewFile;
  #isEmpty = true;

  private constructor(file: NewFile) {
    this.#file = file;
  }

  /** Throws `WrongArgument` if the file exists or cannot be created. */
  static async create(path: string, shell: Shell): Promise<KeysFile> {
    return new KeysFile(await shell.createFile(path));
  }

  /** Adds the keys of entitlements, and resolves once they are on the disk. */
  async add(entitlements: readonly Keyed[]): Promise<void> {
    const lines = entitlements.flatMap(({ id, reference = null, licenseKey = null }) =>
      licenseKey === null ? [] : [`${JSON.stringify({ id, reference, licenseKey })}\n`],
    );
    if (lines.length === 0) return;
    this.#isEmpty = false;
    await this.#file.append(lines.join(''));
  }

  /** Closes the file, or removes it if no key was added. */
  async close(): Promise<void> {
    await (this.#isEmpty ? this.#file.discard() : this.#file.close());
  }

  /**
   * Adds the keys of each group before it is stored, so that no stored key is ever lost. Keys of entitlements that the
   * store refuses are not added: a dry run finds them, and they are not stored.
   */
  writingKeys(begin: Import<EntitlementDraft>['begin']): Import<EntitlementDraft>['begin'] {
    return (store, isDry) => {
      const storeDrafts = begin(store, isDry);
      return async (drafts, call) => {
        const tried = await store.dryRunOfEntitlements()(drafts, call);
        const accepted = drafts.filter((_, position) => tried[position]?.kind === 'imported');
        await this.add(accepted.map(({ id, grant, licenseKey }) => ({ id, reference: grant.reference, licenseKey })));
        const stored = (await storeDrafts(accepted, call)).values();
        return tried.map((outcome) =>
          outcome.kind === 'refused' ? errorOf(outcome.code) : (stored.next().value ?? null),
        );
      };
    };
  }
}
