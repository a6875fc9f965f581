import type { Keys } from '../keys.port.ts';
import type { OperatorKey } from './operator-key.ts';

/** Operator keys as requests present them. */
export type OperatorKeys = Keys<OperatorKey>;
