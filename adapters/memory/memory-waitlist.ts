import { isSameEntry, newEntry, type WaitlistEntry } from '../../core/waitlist/invitation.ts';
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
    this.#store.waitlist.set(address, this.#store.waitlist.get(address) ?? newEntry(signUp));
    this.#store.addresses.add(address);
  }

  async find(email: string): Promise<WaitlistEntry | null> {
    return this.#store.waitlist.get(addressOf(email)) ?? null;
  }

  async findInvited(digest: string): Promise<WaitlistEntry | null> {
    return [...this.#store.waitlist.values()].find(({ invitation }) => invitation?.digest === digest) ?? null;
  }

  async page(after: string | null, limit: number): Promise<readonly WaitlistEntry[]> {
    return firstAfter(this.#store.addresses, after, limit, (address) => this.#store.waitlist.get(address) ?? null);
  }

  async replace(seen: WaitlistEntry, next: WaitlistEntry): Promise<'replaced' | 'stale'> {
    const address = addressOf(seen.email);
    const stored = this.#store.waitlist.get(address);
    if (stored === undefined || !isSameEntry(stored, seen)) return 'stale';
    const { invitedAt, invitation } = next;
    this.#store.waitlist.set(address, { ...stored, invitedAt, invitation });
    return 'replaced';
  }

  async erase(email: string): Promise<0 | 1> {
    this.#store.addresses.delete(addressOf(email));
    return this.#store.waitlist.delete(addressOf(email)) ? 1 : 0;
  }
}
