import type { Call } from '../../core/call.ts';
import type { Administration } from './administration.ts';

export interface ServeOptions {
  /** Of the store to serve, created if it does not exist. */
  readonly store: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly json: boolean;
}

/** Without a store named, the demonstration makes one of its own. */
export interface DemoOptions extends Omit<ServeOptions, 'store'> {
  readonly store: string | undefined;
}

/** One change that a command made, for the log: never a key or a license. */
export type Change =
  | { readonly command: string; readonly productId: string }
  | { readonly command: string; readonly appKeyId: string }
  | {
      readonly command: string;
      readonly entitlementId: string;
      /** 0 before a grant. */
      readonly versionBefore: number;
      readonly version: number;
    };

/** All that the command line reaches of the world. */
export interface Shell {
  /** Of the program. */
  readonly version: string;
  /** The store to use where `--store` does not name one: never shown, since its URL may hold a password. */
  readonly defaultStore: string;
  /** Throws `UnusableStore`. */
  readonly openStore: (url: string, may: { readonly create: boolean }, call: Call) => Promise<Administration>;
  /** Resolves when the server has stopped. */
  readonly serve: (options: ServeOptions) => Promise<void>;
  readonly demo: (options: DemoOptions) => Promise<void>;
  /** A call that begins now, with the time that a command may take. */
  readonly newCall: () => Call;
  readonly log: (change: Change) => void;
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly columns?: number };
  readonly stderr: NodeJS.WritableStream;
}
