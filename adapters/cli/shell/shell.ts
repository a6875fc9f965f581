import type { Administration } from '../../../core/administration/administration.ts';
import type { LoggedChange } from '../../../core/administration/change-log.ts';
import type { Platform } from '../../../core/administration/use-cases/platform.ts';
import type { Call, NewCall } from '../../../core/call.ts';
import type { CompareStores } from '../../../core/copy/compare-stores.ts';
import type { CopyStore } from '../../../core/copy/copy-store.ts';

/** One setting as a flag of `serve`, `demo` and `config`. */
export interface SettingFlag {
  readonly name: string;
  /** Such as `--port`. */
  readonly flag: string;
  /** Its meaning, its rule, its environment variable and its default. */
  readonly description: string;
}

/** The settings on a command line, as typed. */
export interface TypedSettings {
  /** By the setting's name. */
  readonly flags: Readonly<Record<string, string>>;
  /** The path of a settings file, or null. */
  readonly file: string | null;
}

/** One setting in use. A credential in its value is hidden. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string | number | null;
  readonly source: string;
}

export interface ServeOptions {
  readonly settings: TypedSettings;
  readonly json: boolean;
}

export interface DemoOptions extends ServeOptions {
  /** The same seed makes the same keys and ids; null makes random ones. */
  readonly seed: string | null;
}

/** The step to take if there is no store. */
export interface MissingStore {
  readonly create: boolean;
  /** Whether to use an empty store in memory instead. */
  readonly pretend?: boolean;
}

/** The access with which a store is opened. */
export interface StoreAccess extends MissingStore {
  /** Whether nothing is written. */
  readonly readOnly?: boolean;
}

export interface MigrateOptions {
  /** Whether to migrate although other processes use the server of the store. */
  readonly force: boolean;
}

/** A store that a backup has replaced. */
export interface RestoredStore {
  readonly bytes: number;
  /** The file with the store before, or null if there was none. */
  readonly kept: string | null;
  /** Whether it has the schema of this release. */
  readonly isCurrent: boolean;
}

/** The stores of a copy or comparison, in the form of `STORE_URL`. */
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
  /** In bytes, or null if it is unknown. */
  readonly size: number | null;
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file that this command has created, and only its user may read. */
export interface NewFile {
  /** Writes the whole content. Throws `CommandFailed`, and leaves no file then. */
  readonly write: (content: string) => Promise<void>;
  /** Adds to the file, and resolves once it is on the disk. Throws `CommandFailed`, and keeps what was added before. */
  readonly append: (content: string) => Promise<void>;
  /** Closes a file that was added to. */
  readonly close: () => Promise<void>;
  /** Removes the file. */
  readonly discard: () => Promise<void>;
}

/** The difference between a sale here and at Stripe. */
export interface StripeDifference {
  /** Of the subscription or the checkout session. */
  readonly id: string;
  readonly kind: string;
}

/** The functions of the commands about Stripe. */
export interface StripeCommands {
  readonly check: (
    newCall: NewCall,
  ) => Promise<readonly { readonly check: string; readonly ok: boolean; readonly message: string }[]>;
  readonly reconcile: (
    options: { readonly since: Date | null; readonly fix: boolean },
    newCall: NewCall,
  ) => Promise<{
    readonly compared: number;
    readonly fixed: number;
    readonly differences: readonly StripeDifference[];
  }>;
  readonly backfill: (
    newCall: NewCall,
  ) => Promise<{ readonly granted: number; readonly failed: number; readonly keys: readonly object[] }>;
}

/** The use cases of an open store. No call may be in progress when it is closed. */
export interface OpenAdministration extends Administration {
  /** The URL under which receipts name the service. */
  readonly issuer: string;
  /** The longest time for which an offline receipt may hold, in milliseconds. */
  readonly receiptMaxAge: number;
  /** The time for which events are kept, in milliseconds. */
  readonly eventRetention: number;
  /** Time without use after which a session of the console ends, in milliseconds. */
  readonly consoleIdle: number;
  /** The time for which trials are kept after their end, in milliseconds. */
  readonly trialRetention: number;
  /** The commands that ask Stripe, whose changes go through these use cases. Throws `CommandFailed` without a key. */
  readonly stripe: (administration: Administration) => Promise<StripeCommands>;
  close(): Promise<void>;
}

/** Everything that the command line reaches outside itself: settings, stores, files, streams and the log. */
export interface Shell {
  /** The environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The version of the program. */
  readonly version: string;
  readonly settingFlags: readonly SettingFlag[];
  /**
   * Refuses the settings that `serve` would refuse, without opening anything. Throws `UnusableStore` and
   * `CommandFailed`, too.
   */
  readonly checkSettings: (typed: TypedSettings) => Promise<void>;
  /** Every setting. Like all functions that take settings, throws `WrongArgument` with all mistakes at once. */
  readonly effectiveSettings: (typed: TypedSettings) => readonly EffectiveSetting[];
  /** The texts for buyers, by their names. */
  readonly siteTexts: (typed: TypedSettings) => Readonly<Record<string, string>>;
  /** Throws `UnusableStore`. */
  readonly openStore: (typed: TypedSettings, access: StoreAccess, call: Call) => Promise<OpenAdministration>;
  /** Upgrades the schema of the store to this release. Throws `UnusableStore`. */
  readonly migrateStore: (typed: TypedSettings, options: MigrateOptions, call: Call) => Promise<void>;
  /** Puts a backup into the place of the store. Returns null if it was stopped. Throws `UnusableStore` and `CommandFailed`. */
  readonly restoreStore: (
    typed: TypedSettings,
    backup: string,
    isStopped: () => boolean,
  ) => Promise<RestoredStore | null>;
  /** Opens two stores for a copy or a comparison, and may create the second. Throws `UnusableStore`. */
  readonly openStorePair: (urls: StoreUrls, may: { readonly create: boolean }, call: Call) => Promise<StorePair>;
  /** Resolves when the server has stopped. */
  readonly serve: (options: ServeOptions) => Promise<void>;
  /** Serves sample data from a temporary store, until the server has stopped. */
  readonly demo: (options: DemoOptions) => Promise<void>;
  /**
   * Keeps SIGINT and SIGTERM from ending the process: the first one aborts the returned signal, with its name as the
   * reason. A second one ends the process at once.
   */
  readonly takeOverSignals: () => AbortSignal;
  /** Begins a call with the deadline of a command. */
  readonly newCall: NewCall;
  readonly log: (change: LoggedChange) => void;
  /** Loads the functions of the platform, which few commands need themselves. */
  readonly loadPlatform: () => Promise<Pick<Platform, 'addInterval' | 'randomBytes'>>;
  /** Opens a file for reading. Throws `WrongArgument` if it cannot be read. */
  readonly openFile: (path: string) => Promise<InputFile>;
  /** Creates a file. Throws `WrongArgument` if it exists or cannot be created. */
  readonly createFile: (path: string) => Promise<NewFile>;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}
