import type { Call, NewCall } from '../../../core/call.ts';
import { addressOf, type SignUp } from '../../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import { within } from '../driver/deadline.ts';
import { readPages } from '../driver/find.ts';
import type { MongoStore, SignUpDocument } from '../driver/mongo-store.ts';
import { retryWrite } from '../driver/retry-write.ts';

export class MongoWaitlist implements Waitlist {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  async join(signUp: SignUp, call: Call): Promise<void> {
    // A known address is written too, so that the time of the answer does not tell it from a new one.
    const update = { $setOnInsert: signUp, $inc: { requests: 1 } };
    const filter = { _id: addressOf(signUp.email) };
    await within(
      call,
      retryWrite(() => this.#store.waitlist.updateOne(filter, update, { upsert: true })),
    );
  }

  async *list(newCall: NewCall): AsyncIterable<SignUp> {
    const documents = readPages<SignUpDocument>(this.#store.database, 'waitlist', { filter: {} }, newCall);
    for await (const { email, name, handle, role, at } of documents) yield { email, name, handle, role, at };
  }

  async erase(email: string, call: Call): Promise<0 | 1> {
    const { deletedCount } = await within(call, this.#store.waitlist.deleteOne({ _id: addressOf(email) }));
    return deletedCount === 0 ? 0 : 1;
  }
}
