import type { Call } from '../../call.ts';
import type { Entitlement } from '../entitlement.ts';

/** Licenses, as verification looks them up. Each is stored inside its entitlement, so that one look-up is enough. */
export interface Licenses {
  /** Finds the entitlement whose license has this digest, revoked or not, of any product. */
  find(digest: string, call: Call): Promise<Entitlement | null>;
}
