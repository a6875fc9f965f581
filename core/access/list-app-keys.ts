import type { Call } from '../call.ts';
import type { AllAppKeys } from './all-app-keys.port.ts';
import type { AppKey } from './app-key.ts';

/** App keys of every product, oldest first. */
export type ListAppKeys = (call: Call) => Promise<readonly AppKey[]>;

export function listAppKeys(appKeys: AllAppKeys): ListAppKeys {
  return (call) => appKeys.list(call);
}
