import type { Call } from '../../core/call.ts';
import type { Store } from '../../core/store/store.port.ts';

/** What `/readyz` reports. */
export class Readiness {
  readonly #store: Store;
  readonly #isCatalogLoaded: () => boolean;
  #stopping = false;

  constructor(store: Store, isCatalogLoaded: () => boolean) {
    this.#store = store;
    this.#isCatalogLoaded = isCatalogLoaded;
  }

  /** Makes the server unready for good, so that load balancers send it no new requests. */
  stop(): void {
    this.#stopping = true;
  }

  /** Returns whether requests can be served now. */
  readonly check = async (call: Call): Promise<boolean> =>
    !this.#stopping && this.#isCatalogLoaded() && this.#store.ready(call);
}
