import type { Call } from '../../call.ts';
import type { AllKeys, KeyPosition, Keys } from '../keys.port.ts';
import type { OperatorKey } from './operator-key.ts';

/** A part of the list of operator keys. */
export interface OperatorKeyPage {
  /** The position of the last key before the page; null for the first page. */
  readonly after: KeyPosition | null;
  readonly limit: number;
}

/** The operator keys of an installation. */
export interface AllOperatorKeys extends AllKeys<OperatorKey> {
  /** Lists at most `limit` keys after a position, ended ones too: the oldest first, keys of one instant by id. */
  page(page: OperatorKeyPage, call: Call): Promise<readonly OperatorKey[]>;
}

/** Operator keys as requests present them. */
export type OperatorKeys = Keys<OperatorKey>;
