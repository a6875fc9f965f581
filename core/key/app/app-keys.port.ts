import type { Keys } from '../keys.port.ts';
import type { AppKey } from './app-key.ts';

/** App keys as requests present them. */
export type AppKeys = Keys<AppKey>;
