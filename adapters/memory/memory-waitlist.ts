import { compareCodePoints } from '../../core/code-points.ts';
import { addressOf, type SignUp } from '../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../core/waitlist/waitlist.port.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryWaitlist implements Waitlist {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async join(signUp: SignUp): Promise<void> {
    const address = addressOf(signUp.email);
    this.#store.waitlist.set(address, this.#store.waitlist.get(address) ?? signUp);
  }

  async *list(): AsyncIterable<SignUp> {
    for (const address of [...this.#store.waitlist.keys()].toSorted(compareCodePoints)) {
      const signUp = this.#store.waitlist.get(address);
      if (signUp !== undefined) yield signUp;
    }
  }

  async erase(email: string): Promise<0 | 1> {
    return this.#store.waitlist.delete(addressOf(email)) ? 1 : 0;
  }
}
