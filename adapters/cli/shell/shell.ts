import type { Call, NewCall } from '../../../core/call.ts';
import type { CompareStores } from '../../../core/copy/compare-stores.ts';
import type { CopyStore } from '../../../core/copy/copy-store.ts';
import type { Administration } from '../../../core/administration/administration.ts';

/** One setting as the command line shows it. */
export interface SettingFlag {
  readonly name: string;
  /** Such as `--port`. */
  readonly flag: string;
  /** What it is, what it may be, its default and its environment variable. */
  readonly description: string;
}

/** What was typed of the settings; they are read and checked elsewhere. */
export interface TypedSettings {
  /** By the setting's name. */
  readonly flags: Readonly<Record<string, string>>;
  /** The path of a settings file. */
  readonly file: string | null;
}

/** One setting as it would be used; a credential in it is hidden. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string | number | null;
  readonly source: string;
}

export interface ServeOptions {
  readonly settings: TypedSettings;
  readonly json: boolean;
}

/** One change that a command made, for the log: never a key, a license or an address. */
export type LoggedChange =
  | { readonly command: string; readonly productId: string }
  | { readonly command: string; readonly appKeyId: string }
  | { readonly command: string; readonly slug: string }
  /** How many. */
  | { readonly command: string; readonly listings: number }
  | { readonly command: string; readonly entitlements: number }
  | { readonly command: string; readonly entries: number }
  | { readonly command: string; readonly records: number }
  | {
      readonly command: string;
      readonly entitlementId: string;
      /** 0 before a grant. */
      readonly versionBefore: number;
      readonly version: number;
    };

/** What may be done where there is no store. */
export interface MissingStore {
  readonly create: boolean;
  /** Whether an empty one, which nothing outlives, is taken for it. */
  readonly pretend?: boolean;
}

/** The stores of a copy, as `STORE_URL` would name them. */
export interface StoreUrls {
  readonly from: string;
  readonly to: string;
}

export interface StorePair {
  readonly copy: CopyStore;
  readonly compare: CompareStores;
  readonly close: () => Promise<void>;
}

export interface InputFile {
  /** In bytes; null where that is not known. */
  readonly size: number | null;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The use cases over a store that is open until `close`, which no call may outlast. */
export interface OpenAdministration extends Administration {
  close(): Promise<void>;
}

/** All that the command line reaches of the world. */
export interface Shell {
  /** Of the program. */
  readonly version: string;
  readonly settingFlags: readonly SettingFlag[];
  /** Every setting. Throws `WrongArgument` with all mistakes at once, as do all that take settings. */
  readonly effectiveSettings: (typed: TypedSettings) => readonly EffectiveSetting[];
  /** Throws `UnusableStore`. */
  readonly openStore: (typed: TypedSettings, may: MissingStore, call: Call) => Promise<OpenAdministration>;
  /** Brings the store up to this release's schema, where opening it does not. Throws `UnusableStore`. */
  readonly migrateStore: (typed: TypedSettings, call: Call) => Promise<void>;
  /** Opens two stores for a copy or a comparison; only the second may be created. Throws `UnusableStore`. */
  readonly openStorePair: (urls: StoreUrls, may: { readonly create: boolean }, call: Call) => Promise<StorePair>;
  /** Resolves when the server has stopped. */
  readonly serve: (options: ServeOptions) => Promise<void>;
  /** The same on a store of its own. */
  readonly demo: (options: ServeOptions) => Promise<void>;
  /** A call that begins now, with the time that a command may take. */
  readonly newCall: NewCall;
  readonly log: (change: LoggedChange) => void;
  /** Throws `WrongArgument` for a file that cannot be read. */
  readonly openFile: (path: string) => Promise<InputFile>;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}
