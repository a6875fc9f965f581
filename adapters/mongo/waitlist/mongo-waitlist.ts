import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { addressOf, type SignUp } from '../../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `waitlist`: a sign-up under its address (`addressOf`), and how often it was requested. */
export type SignUpDocument = { readonly _id: string; readonly requests: number } & SignUp;

export function toSignUpDocument(id: string, signUp: SignUp): SignUpDocument {
  return { _id: id, ...signUp, requests: 1 };
}

export function fromSignUpDocument({ email, name, handle, role, at }: SignUpDocument): SignUp {
  return { email, name, handle, role, at };
}

export class MongoWaitlist implements Waitlist {
  readonly #database: MongoDatabase;
  readonly #signUps: Collection<SignUpDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#signUps = database.collection('waitlist');
  }

  async join(signUp: SignUp, call: Call): Promise<void> {
    const filter = { _id: addressOf(signUp.email) };
    // Also counts the requests of a known address, so that both take the same time: it must not show who has signed up.
    const update = { $setOnInsert: signUp, $inc: { requests: 1 } };
    await this.#database.write(call, (session) => this.#signUps.updateOne(filter, update, { upsert: true, session }));
  }

  async find(email: string, call: Call): Promise<SignUp | null> {
    const query = { filter: { _id: addressOf(email) }, limit: 1 };
    const [document] = await this.#database.find<SignUpDocument>('waitlist', query, call);
    return document === undefined ? null : fromSignUpDocument(document);
  }

  async page(after: string | null, limit: number, call: Call): Promise<readonly SignUp[]> {
    const query = { filter: { _id: { $gt: after ?? '' } }, sort: { _id: 1 }, limit };
    const documents = await this.#database.find<SignUpDocument>('waitlist', query, call);
    return documents.map(fromSignUpDocument);
  }

  async erase(email: string, call: Call): Promise<0 | 1> {
    const filter = { _id: addressOf(email) };
    // Sent once: a second deletion would find nothing, and report that there was no sign-up.
    const { deletedCount } = await this.#database.writeOnce(call, (session) =>
      this.#signUps.deleteOne(filter, { session }),
    );
    return deletedCount === 0 ? 0 : 1;
  }
}
