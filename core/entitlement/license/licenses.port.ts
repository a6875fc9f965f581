import type { Call } from '../../call.ts';
import type { Entitlement } from '../entitlement.ts';

/** A license lives inside its entitlement, so that verification is one look-up. */
export interface Licenses {
  /** The entitlement that holds the license with this digest, revoked or not, of whichever product. */
  find(digest: string, call: Call): Promise<Entitlement | null>;
}
