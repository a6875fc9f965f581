import type { Collection, Document, Filter } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { newEntry, type WaitlistEntry } from '../../../core/waitlist/invitation.ts';
import { addressOf, type SignUp } from '../../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/**
 * A document of `waitlist`: an entry under its address (`addressOf`), and how often it was requested. One of an earlier release
 * has no invitation.
 */
export type SignUpDocument = { readonly _id: string; readonly requests: number } & SignUp &
  Partial<Pick<WaitlistEntry, 'invitedAt' | 'invitation'>>;

export function toSignUpDocument(id: string, entry: WaitlistEntry): SignUpDocument {
  return { _id: id, ...entry, requests: 1 };
}

export function fromSignUpDocument(document: SignUpDocument): WaitlistEntry {
  const { invitedAt = null, invitation = null } = document;
  return { ...newEntry(document), invitedAt, invitation };
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
    const update = { $setOnInsert: newEntry(signUp), $inc: { requests: 1 } };
    await this.#database.write(call, (session) => this.#signUps.updateOne(filter, update, { upsert: true, session }));
  }

  find(email: string, call: Call): Promise<WaitlistEntry | null> {
    return this.#findOne({ _id: addressOf(email) }, call);
  }

  findInvited(digest: string, call: Call): Promise<WaitlistEntry | null> {
    return this.#findOne({ 'invitation.digest': digest }, call);
  }

  async replace(seen: WaitlistEntry, next: WaitlistEntry, call: Call): Promise<'replaced' | 'stale'> {
    const { at, invitedAt, invitation } = seen;
    const digest = invitation?.digest ?? null;
    const filter = { _id: addressOf(seen.email), at, invitedAt, 'invitation.digest': digest };
    const update = { $set: { invitedAt: next.invitedAt, invitation: next.invitation } };
    // Sent once: a second replacement would find the first, and report that somebody else came first.
    const { matchedCount } = await this.#database.writeOnce(call, (session) =>
      this.#signUps.updateOne(filter as Filter<SignUpDocument>, update, { session }),
    );
    return matchedCount === 0 ? 'stale' : 'replaced';
  }

  async #findOne(filter: Document, call: Call): Promise<WaitlistEntry | null> {
    const [document] = await this.#database.find<SignUpDocument>('waitlist', { filter, limit: 1 }, call);
    return document === undefined ? null : fromSignUpDocument(document);
  }

  async page(after: string | null, limit: number, call: Call): Promise<readonly WaitlistEntry[]> {
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
