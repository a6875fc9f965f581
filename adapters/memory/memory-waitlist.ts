import { addressOf, type SignUp } from '../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../core/waitlist/waitlist.port.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { firstAfter } from './data/sorted-texts.ts';

export class MemoryWaitlist implements Waitlist {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async join(signUp: SignUp): Promise<void> {
    const address = addressOf(signUp.email);
    this.#store.waitlist.set(address, this.#store.waitlist.get(address) ?? signUp);
    this.#store.addresses.add(address);
  }

  async find(email: string): Promise<SignUp | null> {
    return this.#store.waitlist.get(addressOf(email)) ?? null;
  }

  async page(after: string | null, limit: number): Promise<readonly SignUp[]> {
    return firstAfter(this.#store.addresses, after, limit, (address) => this.#store.waitlist.get(address) ?? null);
  }

  async erase(email: string): Promise<0 | 1> {
    this.#store.addresses.delete(addressOf(email));
    return this.#store.waitlist.delete(addressOf(email)) ? 1 : 0;
  }
}
