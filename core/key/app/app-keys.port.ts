import type { Call } from '../../call.ts';
import type { AllKeys, KeyPosition, Keys } from '../keys.port.ts';
import type { AppKey } from './app-key.ts';

/** A part of the list of app keys. */
export interface AppKeyPage {
  /** Null for the keys of every product. */
  readonly productId: string | null;
  /** The position of the last key before the page; null for the first page. */
  readonly after: KeyPosition | null;
  readonly limit: number;
}

/** The app keys of every product. */
export interface AllAppKeys extends AllKeys<AppKey> {
  /** Lists at most `limit` keys after a position, ended ones too: the oldest first, keys of one instant by id. */
  page(page: AppKeyPage, call: Call): Promise<readonly AppKey[]>;
}

/** App keys as requests present them. */
export type AppKeys = Keys<AppKey>;
